// Demo: the notebook's gradients, by central differences
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "core/watch/central_difference.hpp"
#include "demos/parts/said.hpp"
#include "nn/positionwise_feed_forward.hpp"
#include "ops/ops.hpp"

using namespace stepgrad;

namespace {

constexpr double h = 1e-5;          // the distance an entry moves to either side
constexpr double tolerance = 1e-6;  // of the larger of the two gradients
constexpr int64_t entries = 2;      // looked at in each tensor

// w1[3, 1024]
std::string place(const Tensor& x, int64_t entry) {
  std::string index;
  for (int dim = x.dim() - 1; dim >= 0; --dim) {
    index = std::to_string(entry % x.size(dim)) + (index.empty() ? "" : ", ") + index;
    entry /= x.size(dim);
  }
  return std::string(x.name()) + "[" + index + "]";
}

// Compares entry i of x.grad() with a central difference of f, and prints a line.
bool confirmed(const Tensor& x, int64_t i, auto f) {
  const NoGrad no_grad;
  const double by_tape = x.grad().data()[i];
  const double by_difference = central_difference(x.data()[i], h, [&] { return f().item(); });
  const double apart = std::abs(by_tape - by_difference) / std::max(std::abs(by_tape), std::abs(by_difference));
  std::printf("    %-16s  %14.9f  %18.9f  %8.1e\n", place(x, i).c_str(), by_tape, by_difference, apart);
  return apart < tolerance;
}

}

int main(int argc, char** argv) {
  const std::string option = argc > 1 ? argv[1] : "";
  if (option == "--help" || option == "-h") {
    std::puts(
        "usage: demos/run gradient_check\n\n"
        "Moves entries of the parameters and of x by a little, and compares what the loss does "
        "with\n"
        "their gradients. It takes no options. 0: they agree; 1: they do not.");
    return demo::said(0, "gradient_check");
  }
  if (argc > 1) {
    std::fprintf(stderr, "gradient_check: it takes no options, not '%s' (--help).\n", option.c_str());
    return 2;
  }
  manual_seed(0);
  nn::PositionwiseFeedForward ffn(512, 2048, 0.1);
  const Tensor x = Tensor::randn({4, 10, 512}).requires_grad_().set_name("x");
  const Tensor v = Tensor::randn({4, 10, 512});  // a random direction: no gradient is near zero
  Tensors tensors = ffn.parameters();
  tensors.push_back(x);
  std::vector<std::pair<Tensor, int64_t>> samples;
  for (const Tensor& tensor : tensors) {
    for (const double u : Tensor::rand({entries}).to_vector()) {
      samples.emplace_back(tensor, int64_t(u * tensor.numel()));
    }
  }

  const RandomState mask = random_state();
  const auto loss = [&] {
    set_random_state(mask);  // the same dropout mask each time
    return sum(ffn(x) * v);
  };
  loss().backward();
  std::printf("    %-16s  %14s  %18s  %8s\n", "entry", "backward()", "central difference", "apart");
  bool all = true;
  for (const auto& [tensor, entry] : samples) all &= confirmed(tensor, entry, loss);
  std::printf(all ? "    They agree to %.0e.\n" : "    They differ by more than %.0e.\n", tolerance);
  return demo::said(all ? 0 : 1, "gradient_check");
}
