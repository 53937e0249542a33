// Demo: feed-forwards: gated, expert, adaptive, rounded, ...
#include "demos/feed_forward_variants/parts.hpp"
#include "demos/parts/captions.hpp"
#include "demos/parts/cell.hpp"
#include "demos/parts/command_line.hpp"

using namespace stepgrad;
using namespace stepgrad::demo;

std::string demo::with_commas(int64_t number) {
  std::string text = std::to_string(number);
  for (int64_t at = std::ssize(text) - 3; at > 0; at -= 3) text.insert(at, ",");
  return text;
}

std::string demo::column(const std::string& text, size_t width) {
  return text + std::string(text.size() < width ? width - text.size() : 1, ' ');
}

static void walk() {
  implementations();
  position_wise();
  hidden_size();
  activations();
  mixture_of_experts();
  adaptive();
  transformer_block();
  initialization();
  checkpointing();
  mixed_precision();
  parameter_analysis();
  cell("Next", "The document's experiments, trained on real text", "문서의 실험을 실제 텍스트로 학습");
  show_text("demos/run experiments    ratios, ablation, activations, position-wise or not, experts");
}

int main(int argc, char** argv) {
  CLI::App app("Feed-forward networks compared.", "demos/run feed_forward_variants");
  add_language(app, {"ko"});
  return main_of(app, argc, argv, [&] {
    manual_seed(0);
    walk();
    return 0;
  });
}
