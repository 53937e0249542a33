#include "ops/relu.hpp"

#include "core/tape/record.hpp"
#include "core/tensor/elementwise.hpp"
#include "ops/add.hpp"
#include "ops/compare.hpp"
#include "ops/masked_fill.hpp"

namespace stepgrad {

// Y = max(0, X)
// dX = 0 where Y <= 0, else dY
struct ReluBackward final : Node {
  static constexpr Formula formula{
      "relu", "Y = max(0, X)", "dX = 0 where Y <= 0, else dY", of_each<relu>(), Traits{.pieces = "X > 0"}};
  ReluBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    x.add_grad(elementwise(kernels::table().relu_grad, std::move(dY), Y));  // dX = 0 where Y <= 0
  }
  void backward_by_ops(Tensor dY) override {
    x.add_grad(masked_fill(dY, le(Y, 0), 0) + masked_fill(Y, 1, 0));  // + 0, so that 0 is its slope
  }
  bool takes_shared_gradient() const override { return true; }
  Input x{this};
  Saved Y{this, "Y"};
};

Tensor relu(Arg x) {
  auto node = record<ReluBackward>(x);
  const Tensor y = elementwise(kernels::table().relu, x);
  if (node) node->Y = y;
  return on_tape(y, std::move(node));
}

}
