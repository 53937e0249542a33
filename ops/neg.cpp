#include "ops/neg.hpp"

#include "core/tape/record.hpp"
#include "core/tensor/elementwise.hpp"

namespace stepgrad {

// Y = -X
// dX = -dY
struct NegBackward final : Node {
  static constexpr Formula formula{"neg", "Y = -X", "dX = -dY", of_each<neg>()};
  NegBackward() : Node(formula) {}
  void backward(Tensor dY) override { x.add_grad(neg(std::move(dY))); }  // dX = -dY
  Input x{this};
};

Tensor neg(Arg x) {
  auto node = record<NegBackward>(x);
  return on_tape(elementwise(kernels::table().neg, x), std::move(node));
}

}
