#include "ops/maximum.hpp"

#include "core/tape/record.hpp"
#include "ops/add.hpp"
#include "ops/compare.hpp"
#include "ops/div.hpp"
#include "ops/masked_fill.hpp"
#include "ops/neg.hpp"
#include "ops/where.hpp"

namespace stepgrad {

// The part of dY that a gets in maximum(a, b).
static Tensor share(const Tensor& dY, const Tensor& a, const Tensor& b) {
  return where(eq(a, b), dY / 2, masked_fill(dY, lt(a, b), 0));
}

// Y = max(A, B)        A, B: shapes that broadcast      Y: what they broadcast to
// dA = dY where A > B, dY/2 where A = B, else 0        dB likewise
struct MaximumBackward final : Node {
  static constexpr Formula formula{"maximum", "Y = max(A, B)",
      "dA = dY where A > B, dY/2 where A = B, else 0   dB likewise", of_each<maximum>(), Traits{.pieces = "A > B"}};
  MaximumBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    if (a) a.add_grad(share(dY, A, B));  // dA = dY where A > B, dY/2 where A = B
    if (b) b.add_grad(share(dY, B, A));  // dB likewise
  }
  Input a{this}, b{this};
  Saved A{this, "A", &a}, B{this, "B", &b};
};

Tensor maximum(Arg a, Arg b) {
  broadcast("maximum", a, b);
  auto node = record<MaximumBackward>(a, b);
  if (node) node->A = a.tensor, node->B = b.tensor;
  const NoGrad no_grad;
  const Tensor first = gt(a, b) + ne(a, a);  // a NaN is not equal to itself
  return on_tape(where(first, a, b), std::move(node));
}

Tensor minimum(Arg a, Arg b) {
  broadcast("minimum", a, b);
  const OpCall call(a);
  return neg(maximum(neg(std::move(a)), neg(std::move(b))));
}

}
