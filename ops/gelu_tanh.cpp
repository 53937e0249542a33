#include "ops/gelu_tanh.hpp"

#include "core/tape/record.hpp"
#include "core/tensor/elementwise.hpp"

namespace stepgrad {

// Y = X∘(1 + tanh U)/2
// U = √(2/π)·(X + 0.044715 X³)
// dX = dY∘((1 + tanh U)/2 + X∘(1 - tanh² U)∘U'/2)
struct GeluTanhBackward final : Node {
  static constexpr Formula formula{"gelu_tanh", "Y = X∘(1 + tanh U)/2",
                                   "dX = dY∘((1 + tanh U)/2 + X∘(1 - tanh² U)∘U'/2)",
                                   of_one<gelu_tanh>};
  GeluTanhBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    kernels::table().gelu_tanh_grad(dY.numel(), dY.data(), X.data(), dY.data());  // dX = dY∘...
    x.add_grad(std::move(dY));
  }
  Input x{this};
  Saved X{this, "X"};
};

Tensor gelu_tanh(Arg x) {
  auto node = record<GeluTanhBackward>(x);
  if (node) node->X = x.tensor;
  return on_tape(elementwise(kernels::table().gelu_tanh, x), std::move(node));
}

}  // namespace stepgrad
