// Writes small files of each kind, which changed_seeds.cpp changes: seeds FOLDER.
#include <filesystem>

#include "core/files.hpp"
#include "nn/nn.hpp"
#include "nn/text/vocabulary.hpp"

using namespace stepgrad;

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::filesystem::path root = argv[1];
  const auto file = [&](const char* kind, const std::string& name) {
    std::filesystem::create_directories(root / kind);
    return (root / kind / name).string();
  };
  const Tensor x = Tensor::of({{1, 2, 3}, {4, 5, 6}}), none = Tensor::zeros({0, 2});
  const nn::NamedTensors tensors{{"w", x}, {"b", Tensor::full({}, 1)}, {"n", none}};
  nn::save_safetensors(file("safetensors", "three"), tensors);
  nn::save_safetensors(file("safetensors", "none"), {});
  nn::Vocabulary::train({"a cat sat on the mat", "the dog sat on the log"}, 30).save(file("vocabulary", "cats"));
  write_file(file("text", "lines"), "a cat sat on the mat\r\nund ein Hund im Gr\xc3\xbcn\n");
}
