#include "ops/pow.hpp"

#include "core/tape/record.hpp"
#include "core/tensor/elementwise.hpp"
#include "ops/add.hpp"
#include "ops/compare.hpp"
#include "ops/log.hpp"
#include "ops/masked_fill.hpp"
#include "ops/mul.hpp"
#include "ops/sub.hpp"

namespace stepgrad {

// Y = A^B               A, B: shapes that broadcast      Y: what they broadcast to
// dA = dY∘B∘A^(B - 1), 0 where B = 0       dB = dY∘Y∘log A, 0 where A = 0 and B >= 0
// and both 0 where dY = 0, as for log and sqrt
struct PowBackward final : Node {
  static constexpr Formula formula{"pow", "Y = A^B", "dA = dY∘B∘A^(B - 1)   dB = dY∘Y∘log A",
                                   of_each<pow>()};
  PowBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    // Where the formulas would give 0·∞.
    const Tensor unused = eq(dY, 0);
    if (a) a.add_grad(masked_fill(dY * (B * pow(A, B - 1)), unused + eq(B, 0), 0));
    if (b) b.add_grad(masked_fill(dY * (Y * log(A)), unused + eq(A, 0) * ge(B, 0), 0));
  }
  void backward_by_ops(Tensor dY) override {  // also a function of dY where that is 0
    if (a) a.add_grad(dY * slope(dY, B * pow(A, B - 1), eq(B, 0)));
    if (b) b.add_grad(dY * slope(dY, Y * log(A), eq(A, 0) * ge(B, 0)));
  }
  // The slope, but 0 where it is `none`, and where dY ∘ slope would be 0·∞ or 0·NaN.
  static Tensor slope(const Tensor& dY, const Tensor& s, const Tensor& none) {
    const Tensor not_finite = ne(s - s, 0);
    return masked_fill(s, none + eq(dY, 0) * not_finite, 0);
  }
  Input a{this}, b{this};
  Saved A{this, "A", &a}, B{this, "B", &b}, Y{this, "Y"};  // Y only for B's gradient
};

Tensor pow(Arg a, Arg b) {
  const Shape shape = broadcast("pow", a.shape(), b.shape());
  auto node = record<PowBackward>(a, b);
  if (node) node->A = a.tensor, node->B = b.tensor;
  const Tensor y = elementwise(kernels::table().pow, shape, a, b);
  if (node && node->b) node->Y = y;
  return on_tape(y, std::move(node));
}

}  // namespace stepgrad
