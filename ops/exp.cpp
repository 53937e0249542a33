#include "ops/exp.hpp"

#include "core/tape/record.hpp"
#include "core/tensor/elementwise.hpp"
#include "ops/mul.hpp"

namespace stepgrad {

// Y = exp(X)
// dX = dY∘Y
struct ExpBackward final : Node {
  static constexpr Formula formula{"exp", "Y = exp(X)", "dX = dY∘Y", of_each<exp>(), Kind::floating};
  ExpBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    x.add_grad(std::move(dY) * Y);  // dX = dY∘Y
  }
  bool takes_shared_gradient() const override { return true; }
  Input x{this};
  Saved Y{this, "Y"};
};

Tensor exp(Arg x) {
  auto node = record<ExpBackward>(x);
  const Tensor y = elementwise(kernels::table().exp, x);
  if (node) node->Y = y;
  return on_tape(y, std::move(node));
}

}
