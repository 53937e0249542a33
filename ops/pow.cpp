#include "ops/pow.hpp"

#include "core/tape/record.hpp"
#include "core/tensor/elementwise.hpp"
#include "ops/compare.hpp"
#include "ops/log.hpp"
#include "ops/masked_fill.hpp"
#include "ops/mul.hpp"
#include "ops/sub.hpp"

namespace stepgrad {

// Y = A^B               A, B: shapes that broadcast      Y: what they broadcast to
// dA = dY∘B∘A^(B - 1), 0 where B = 0       dB = dY∘Y∘log A, 0 where A = 0 and B >= 0
struct PowBackward final : Node {
  static constexpr Formula formula{"pow", "Y = A^B", "dA = dY∘B∘A^(B - 1)   dB = dY∘Y∘log A", of_each<pow>()};
  PowBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    if (a) a.add_grad(masked_fill(dY * (B * pow(A, B - 1)), eq(B, 0), 0));
    if (b) b.add_grad(dY * masked_fill(Y * log(A), eq(A, 0) * ge(B, 0), 0));
  }
  Input a{this}, b{this};
  Saved A{this, "A", &a}, B{this, "B", &b}, Y{this, "Y"};  // Y only for B's gradient
};

Tensor pow(Arg a, Arg b) {
  const Shape shape = broadcast("pow", a, b);
  auto node = record<PowBackward>(a, b);
  if (node) node->A = a.tensor, node->B = b.tensor;
  const Tensor y = elementwise(kernels::table().pow, shape, a, b);
  if (node && node->b) node->Y = y;
  return on_tape(y, std::move(node));
}

}
