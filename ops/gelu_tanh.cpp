#include "ops/gelu_tanh.hpp"

#include <cmath>
#include <numbers>

#include "core/tape/record.hpp"
#include "core/tensor/elementwise.hpp"
#include "ops/add.hpp"
#include "ops/clamp.hpp"
#include "ops/div.hpp"
#include "ops/mul.hpp"
#include "ops/sub.hpp"
#include "ops/tanh.hpp"

namespace stepgrad {

// Y = X∘(1 + tanh U)/2
// U = √(2/π)·(X + 0.044715 X³)
// dX = dY∘((1 + tanh U)/2 + X∘(1 - tanh² U)∘U'/2)
struct GeluTanhBackward final : Node {
  static constexpr Formula formula{"gelu_tanh", "Y = X∘(1 + tanh U)/2",
      "dX = dY∘((1 + tanh U)/2 + X∘(1 - tanh² U)∘U'/2)", of_each<gelu_tanh>(), Kind::floating};
  GeluTanhBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    x.add_grad(elementwise(kernels::table().gelu_tanh_grad, std::move(dY), X));  // dX = dY∘...
  }
  void backward_by_ops(Tensor dY) override {
    const Scalar c = std::sqrt(2 * std::numbers::inv_pi), third = 0.044715;
    // Beyond 15 T is ±1, and a power of X may overflow. Of ±∞ backward() makes NaN, and this, too.
    const Tensor Z = clamp(X, -15, 15) + X * 0;
    const Tensor T = tanh((Z + Z * Z * Z * third) * c), slope = (Z * Z * (3 * third) + 1) * c;
    x.add_grad(dY * ((T + 1) + Z * (1 - T * T) * slope) / 2);
  }
  bool takes_shared_gradient() const override { return true; }
  Input x{this};
  Saved X{this, "X", &x};
};

Tensor gelu_tanh(Arg x) {
  auto node = record<GeluTanhBackward>(x);
  if (node) node->X = x.tensor;
  return on_tape(elementwise(kernels::table().gelu_tanh, x), std::move(node));
}

}
