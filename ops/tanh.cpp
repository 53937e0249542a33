#include "ops/tanh.hpp"

#include "core/tape/record.hpp"
#include "core/tensor/elementwise.hpp"
#include "ops/mul.hpp"
#include "ops/sub.hpp"

namespace stepgrad {

// Y = tanh(X)
// dX = dY∘(1 - Y²)
struct TanhBackward final : Node {
  static constexpr Formula formula{"tanh", "Y = tanh(X)", "dX = dY∘(1 - Y²)", of_each<tanh>(), Kind::floating};
  TanhBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    x.add_grad(elementwise(kernels::table().tanh_grad, std::move(dY), Y));  // dX = dY∘(1 - Y²)
  }
  void backward_by_ops(Tensor dY) override { x.add_grad(dY * (1 - Y * Y)); }
  bool takes_shared_gradient() const override { return true; }
  Input x{this};
  Saved Y{this, "Y"};
};

Tensor tanh(Arg x) {
  auto node = record<TanhBackward>(x);
  const Tensor y = elementwise(kernels::table().tanh, x);
  if (node) node->Y = y;
  return on_tape(y, std::move(node));
}

}
