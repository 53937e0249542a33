#include "ops/silu.hpp"

#include "core/tape/record.hpp"
#include "core/tensor/elementwise.hpp"
#include "ops/add.hpp"
#include "ops/mul.hpp"
#include "ops/sigmoid.hpp"
#include "ops/sub.hpp"

namespace stepgrad {

// Y = X∘σ(X)
// σ(x) = 1/(1 + exp(-x))
// dX = dY∘σ(X)∘(1 + X∘(1 - σ(X)))
struct SiluBackward final : Node {
  static constexpr Formula formula{
      "silu", "Y = X∘σ(X)", "dX = dY∘σ(X)∘(1 + X∘(1 - σ(X)))", of_each<silu>(), Kind::floating};
  SiluBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    x.add_grad(elementwise(kernels::table().silu_grad, std::move(dY), X));  // dX = dY∘...
  }
  void backward_by_ops(Tensor dY) override {
    const Tensor S = sigmoid(X);
    x.add_grad(dY * S * (X * (1 - S) + 1));
  }
  bool takes_shared_gradient() const override { return true; }
  Input x{this};
  Saved X{this, "X", &x};
};

Tensor silu(Arg x) {
  auto node = record<SiluBackward>(x);
  if (node) node->X = x.tensor;
  return on_tape(elementwise(kernels::table().silu, x), std::move(node));
}

}
