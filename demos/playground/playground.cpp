// Demo: a page to change and train the documents' models
// Needs: emscripten
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <sstream>

#include "core/check.hpp"
#include "core/files.hpp"
#include "core/trace/json_text.hpp"
#include "core/trace/recording.hpp"
#include "demos/parts/command_line.hpp"
#include "demos/playground/models.hpp"

using namespace stepgrad;
using namespace stepgrad::demo;

namespace {

// The page's data before a tape exists: the models, and the lines of their sources, which the page
// shows around each call.
std::string page_json() {
  std::vector<Member> sources;
  for (const char* file : {"nn/positionwise_feed_forward.cpp", "nn/relu.cpp", "nn/dropout.cpp", "nn/feed_forward.cpp",
           "nn/gated_feed_forward.cpp", "nn/linear.cpp", "nn/layer_norm.cpp", "nn/moe_feed_forward.cpp",
           "nn/multi_head_attention.cpp", "nn/scaled_dot_product_attention.cpp", "nn/transformer_block.cpp",
           "nn/embedding.cpp", "demos/playground/models.cpp"}) {
    std::istringstream in(read_file(STEPGRAD_TREE "/" + std::string(file)));
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);)
      lines.push_back('[' + std::to_string(lines.size() + 1) + ',' + json_string(line) + ']');
    sources.push_back({file, list(lines)});
  }
  return object({{"playground", list(model_names, json_string)}, {"text", json_string(playground_text)},
      {"source", object(sources)}});
}

// Built once with emscripten, beside the program.
std::string engine(const std::filesystem::path& program) {
  const auto build = std::filesystem::absolute(program).parent_path().parent_path();
  const auto path = build / "engine/bin/playground.wasm.gz";
  if (!exists(path)) std::cerr << "building the engine in WebAssembly: a minute or two, this once\n";
  const std::string command = "cmake --build '" + build.string() + "' --target engine >/dev/null 2>&1";
  const int status = std::system(command.c_str());
  check<FileError>(exists(path), "there is no engine in WebAssembly (", status,
      "): install emscripten, and configure the build anew");
  return read_file(path.string());
}

}

int main(int argc, char** argv) {
  CLI::App app("Writes one page that has stepgrad itself in it, and the documents' models.", "demos/run playground");
  std::string file = "playground.html";
  app.add_option("FILE,--out", file, "where to")->capture_default_str();
  return main_of(app, argc, argv, [&] {
    const std::string script = read_file(STEPGRAD_TREE "/demos/playground/playground.js");
    write_file(file, live_page(page_json(), engine(argv[0]), "", script));
    std::cout << "A page to open in a browser, or to put on a web server: " << file << '\n';
    return 0;
  });
}
