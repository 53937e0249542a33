#include "ops/log.hpp"

#include "core/tape/record.hpp"
#include "core/tensor/elementwise.hpp"
#include "ops/div.hpp"

namespace stepgrad {

// Y = log(X)
// dX = dY/X
struct LogBackward final : Node {
  static constexpr Formula formula{"log", "Y = log(X)", "dX = dY/X", of_each<log>(), Kind::floating};
  LogBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    x.add_grad(std::move(dY) / X);  // dX = dY/X
  }
  bool takes_shared_gradient() const override { return true; }
  Input x{this};
  Saved X{this, "X", &x};
};

Tensor log(Arg x) {
  auto node = record<LogBackward>(x);
  if (node) node->X = x.tensor;
  return on_tape(elementwise(kernels::table().log, x), std::move(node));
}

}
