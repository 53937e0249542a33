#include "ops/div.hpp"

#include "core/elementwise.hpp"
#include "core/record.hpp"
#include "ops/mul.hpp"
#include "ops/neg.hpp"

namespace stepgrad {

// Y = A/B        A, B: shapes that broadcast      Y: what they broadcast to
// dA = dY/B      dB = -dA∘A/B
struct DivBackward final : Node {
  static constexpr Formula formula{"div", "Y = A/B", "dA = dY/B   dB = -dA∘A/B"};
  DivBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    Tensor dA = div(std::move(dY), B);           // dA = dY/B
    if (b) b.add_grad(neg(div(mul(dA, A), B)));  // dB = -dA∘A/B
    if (a) a.add_grad(std::move(dA));
  }
  Input a{this}, b{this};
  Saved A{this, "A"}, B{this, "B"};  // A only if B wants its gradient
};

Tensor div(Arg a, Arg b) {
  const Shape shape = broadcast("div", a.shape(), b.shape());
  auto node = record<DivBackward>(a, b);
  if (node && node->b) node->A = a.tensor;
  if (node) node->B = b.tensor;
  return on_tape(elementwise(kernels::table().div, shape, a, b), std::move(node));
}

}  // namespace stepgrad
