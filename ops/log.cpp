#include "ops/log.hpp"

#include "core/elementwise.hpp"
#include "core/record.hpp"
#include "ops/div.hpp"

namespace stepgrad {

// Y = log(X)
// dX = dY/X
struct LogBackward final : Node {
  static constexpr Formula formula{"log", "Y = log(X)", "dX = dY/X"};
  LogBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    x.add_grad(std::move(dY) / X);  // dX = dY/X
  }
  Input x{this};
  Saved X{this, "X"};
};

Tensor log(Arg x) {
  const auto node = record<LogBackward>(x);
  if (node) node->X = x.tensor;
  return on_tape(elementwise(kernels::table().log, x), node);
}

}  // namespace stepgrad
