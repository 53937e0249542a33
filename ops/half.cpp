#include "ops/half.hpp"

#include "core/tape/record.hpp"
#include "core/tensor/elementwise.hpp"

namespace stepgrad {

// Y = X, rounded      dX = dY, rounded
struct HalfBackward final : Node {
  static constexpr Formula formula{
      "half", "Y = X, rounded", "dX = dY, rounded", of_each<half>(), Kind::floating, Traits{.rounds = true}};
  HalfBackward() : Node(formula) {}
  void backward(Tensor dY) override { x.add_grad(half(std::move(dY))); }  // dX = dY, rounded
  Input x{this};
};

Tensor half(Arg x) {
  auto node = record<HalfBackward>(x);
  return on_tape(elementwise(kernels::table().half, x), std::move(node));
}

}
