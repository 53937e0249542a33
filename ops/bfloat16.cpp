#include "ops/bfloat16.hpp"

#include "core/tape/record.hpp"
#include "core/tensor/elementwise.hpp"

namespace stepgrad {

// Y = X, rounded      dX = dY, rounded
struct Bfloat16Backward final : Node {
  static constexpr Formula formula{
      "bfloat16", "Y = X, rounded", "dX = dY, rounded", of_each<bfloat16>(), Kind::floating, Traits{.rounds = true}};
  Bfloat16Backward() : Node(formula) {}
  void backward(Tensor dY) override { x.add_grad(bfloat16(std::move(dY))); }  // dX = dY, rounded
  Input x{this};
};

Tensor bfloat16(Arg x) {
  auto node = record<Bfloat16Backward>(x);
  return on_tape(elementwise(kernels::table().bfloat16, x), std::move(node));
}

}
