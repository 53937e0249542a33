// Demo: small Transformers trained side by side
#include <set>

#include "core/text_stream.hpp"
#include "demos/experiments/report.hpp"
#include "demos/parts/cell.hpp"
#include "demos/parts/command_line.hpp"
#include "demos/parts/terminal.hpp"

using namespace stepgrad;
using namespace stepgrad::demo;

namespace {

struct Options {
  std::string text, only;
  int64_t seeds = 3, steps = 500, characters = 0;  // of the text that are used; 0: all
  Size size;
};

void quick(Options& options) {
  options.size = {.d_model = 16, .n_heads = 2, .n_layers = 1, .context = 16, .batch = 4};
  options.steps = 20;
}

// A text learned a hundred times: wide models memorise it, without a better held-out loss.
void overfit(Options& options) {
  options.only = "ratios";
  options.size = {.d_model = 64, .n_heads = 4, .n_layers = 2, .context = 32, .batch = 16};
  options.steps = 1200;
  options.characters = 8'000;
}

// Trains each variant once per seed, for all studies that use it.
class Laboratory {
 public:
  Laboratory(const Text& text, const Options& options, const std::vector<Study>& studies)
      : text_(text),
        options_(options),
        bar_(variants_of(studies) * options.seeds * options.steps) {}

  // The results of this study.
  const AllResults& results_of(const Study& study) {
    for (const Variant& variant : study.variants) {
      const auto [place, is_new] = all_.try_emplace(variant.name);
      if (is_new) place->second = trained(variant);
    }
    bar_.clear();
    return all_;
  }

 private:
  static int64_t variants_of(const std::vector<Study>& studies) {
    std::set<std::string> names;
    for (const Study& study : studies) {
      for (const Variant& variant : study.variants) names.insert(variant.name);
    }
    return std::ssize(names);
  }

  Results trained(const Variant& variant) {
    Results results;
    for (int64_t seed = 0; seed < options_.seeds; ++seed) {
      const std::string what = variant.name + ", seed " + std::to_string(seed) + ", loss ";
      const auto show = [&](int64_t, double loss) {
        bar_.show(++steps_done_, what + fixed(loss, 2));
      };
      results.push_back(
          demo::learn(text_, options_.size, variant.make, seed, options_.steps, show));
    }
    return results;
  }

  const Text& text_;
  const Options& options_;
  ProgressBar bar_;
  int64_t steps_done_ = 0;
  AllResults all_;
};

void about(const Text& text, const std::string& name, const Options& options) {
  const Size& size = options.size;
  const auto seen = static_cast<double>(options.steps * size.batch * size.context) /
                    static_cast<double>(text.held_out());
  TextStream lines;
  lines << name << ": " << text.size() << " characters, " << text.alphabet.size()
        << " different ones, the last " << text.size() - text.held_out() << " held out.\n"
        << "Blocks: " << size.n_layers << ", d_model " << size.d_model << ", " << size.n_heads
        << " heads, context " << size.context << "; " << options.steps << " steps of " << size.batch
        << " sequences, for each of " << options.seeds << " seeds.\n"
        << "So each character is learned from " << fixed(seen, 2)
        << " times; overfitting needs many: a short --text and more --steps.\n"
        << "Models with the same seed learn from the same batches; ± is the standard deviation "
           "over seeds.";
  show_words(lines.str());
}

void experiment(const Text& text, const std::string& name, const Options& options) {
  check_length(text, options.size.context);
  std::vector<Study> chosen = studies(options.size);
  if (!options.only.empty()) {
    std::erase_if(chosen, [&](const Study& study) { return study.name != options.only; });
  }
  Laboratory laboratory(text, options, chosen);
  cell("Text", "Which character comes next?");
  about(text, name, options);
  for (const Study& study : chosen) {
    cell(study.name + "  ", study.question);
    std::cout << std::flush;  // it will take minutes
    report(study, laboratory.results_of(study));
  }
}

void add_options(CLI::App& app, Options& options) {
  std::vector<std::string> names;
  for (const Study& study : studies({})) names.push_back(study.name);
  app.add_option("--text", options.text, "a UTF-8 file to learn from, instead of the sources");
  app.add_option("--only", options.only, "one of the experiments")->check(CLI::IsMember(names));
  app.add_option("--seeds", options.seeds, "how often each model is trained")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000));
  auto* steps = app.add_option("--steps", options.steps, "of training")
                    ->capture_default_str()
                    ->check(CLI::Range(1, 10'000'000));
  auto* tiny = app.add_flag_callback(
      "--quick", [&] { quick(options); },
      "20 steps, tiny models: to see in seconds that all of it runs; no verdicts");
  auto* short_text = app.add_flag_callback(
      "--overfit", [&] { overfit(options); },
      "`ratios` on a text so short that wide models know it by heart: two minutes");
  short_text->excludes(tiny)->excludes("--only");
  for (CLI::Option* preset : {tiny, short_text}) preset->excludes(steps);
}

}

int main(int argc, char** argv) {
  CLI::App app("Small Transformers, trained side by side.", "demos/run experiments");
  Options options;
  add_options(app, options);
  return main_of(app, argc, argv, [&] {
    const bool own = options.text.empty();
    std::u32string characters = own ? read_sources(STEPGRAD_TREE) : read_text(options.text);
    if (options.characters)
      characters.resize(std::min<size_t>(characters.size(), options.characters));
    const Text text(characters);
    experiment(text, own ? "stepgrad's sources and README" : options.text, options);
    return 0;
  });
}
