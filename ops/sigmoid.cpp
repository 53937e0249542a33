#include "ops/sigmoid.hpp"

#include "core/tape/record.hpp"
#include "core/tensor/elementwise.hpp"
#include "ops/mul.hpp"
#include "ops/sub.hpp"

namespace stepgrad {

// Y = 1/(1 + exp(-X))
// dX = dY∘Y∘(1 - Y)
struct SigmoidBackward final : Node {
  static constexpr Formula formula{
      "sigmoid", "Y = 1/(1 + exp(-X))", "dX = dY∘Y∘(1 - Y)", of_each<sigmoid>(), Kind::floating};
  SigmoidBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    x.add_grad(elementwise(kernels::table().sigmoid_grad, std::move(dY), Y));  // dX = dY∘Y∘(1 - Y)
  }
  void backward_by_ops(Tensor dY) override { x.add_grad(dY * Y * (1 - Y)); }
  bool takes_shared_gradient() const override { return true; }
  Input x{this};
  Saved Y{this, "Y"};
};

Tensor sigmoid(Arg x) {
  auto node = record<SigmoidBackward>(x);
  const Tensor y = elementwise(kernels::table().sigmoid, x);
  if (node) node->Y = y;
  return on_tape(y, std::move(node));
}

}
