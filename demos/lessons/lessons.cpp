// Demo: four lessons about gradients, each a web page to step through
#include <filesystem>
#include <iostream>
#include <string>

#include "core/trace/trace.hpp"
#include "core/watch/ledger.hpp"
#include "demos/parts/command_line.hpp"
#include "nn/dropout.hpp"
#include "nn/positionwise_feed_forward.hpp"
#include "ops/ops.hpp"

using namespace stepgrad;

namespace {

Tensor leaf(const Tensor& x, const char* name) { return x.requires_grad_().set_name(name); }

// y = w·x
Tensor one_number() {
  const Tensor w = leaf(Tensor::full({}, 3), "w"), x = leaf(Tensor::full({}, 2), "x");
  return mul(w, x).set_name("y");
}

Tensor feed_forward() {
  const nn::PositionwiseFeedForward ffn(4, 8, Scalar(0.1));
  const Tensor x = Tensor::randn({3, 4}).set_name("x");
  return mean(ffn(x)).set_name("loss");
}

Tensor dropout_and_relu() {
  const Tensor x = leaf(Tensor::from({1, -2, 3, -4, Scalar(0.5), 2, -1, 4}, {2, 4}), "x");
  const Tensor h = relu(x).set_name("h");
  const nn::Dropout dropout(Scalar(0.5));
  return sum(dropout(h)).set_name("loss");
}

// The second of two passes, between which zero_grad() was forgotten.
Tensor zero_grad() {
  const Tensor w = leaf(Tensor::of({1., 2.}), "w"), x = Tensor::of({3., 4.}).set_name("x");
  sum(w * x).backward();
  return sum(w * x).set_name("loss");
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Writes a page for each of the lessons of core/trace/lessons/.",
               "demos/run lessons");
  std::string folder = ".";
  app.add_option("FOLDER", folder, "where to; this folder unless it is given");
  return demo::main_of(app, argc, argv, [&] {
    manual_seed(3);
    set_ledger(true);
    for (const auto& [name, loss] : {std::pair{"one_number", &one_number},
                                     {"feed_forward", &feed_forward},
                                     {"dropout_and_relu", &dropout_and_relu},
                                     {"zero_grad", &zero_grad}}) {
      const std::string page = (std::filesystem::path(folder) / name).string() + ".html";
      const std::string not_live = trace(loss(), page, live, nullptr, {}, lesson(name));
      std::cout << page << (not_live.empty() ? "" : ", not live: " + not_live) << '\n';
    }
    return 0;
  });
}
