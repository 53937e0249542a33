#include "ops/gelu.hpp"

#include <numbers>

#include "core/tape/record.hpp"
#include "core/tensor/elementwise.hpp"
#include "ops/add.hpp"
#include "ops/div.hpp"
#include "ops/erf.hpp"
#include "ops/exp.hpp"
#include "ops/mul.hpp"

namespace stepgrad {

// Y = X∘Φ(X)
// Φ and φ: the standard normal's distribution and density, Φ(x) = (1 + erf(x/√2))/2
// dX = dY∘(Φ(X) + X∘φ(X))
struct GeluBackward final : Node {
  static constexpr Formula formula{"gelu", "Y = X∘Φ(X)", "dX = dY∘(Φ(X) + X∘φ(X))", of_each<gelu>(), Kind::floating};
  GeluBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    x.add_grad(elementwise(kernels::table().gelu_grad, std::move(dY), X));  // dX = dY∘...
  }
  void backward_by_ops(Tensor dY) override {
    const Tensor density = exp(X * X / -2) * (std::numbers::inv_sqrtpi / std::numbers::sqrt2);
    x.add_grad(dY * ((erf(X / std::numbers::sqrt2) + 1) / 2 + X * density));
  }
  bool takes_shared_gradient() const override { return true; }
  Input x{this};
  Saved X{this, "X", &x};
};

Tensor gelu(Arg x) {
  auto node = record<GeluBackward>(x);
  if (node) node->X = x.tensor;
  return on_tape(elementwise(kernels::table().gelu, x), std::move(node));
}

}
