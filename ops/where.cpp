#include "ops/where.hpp"

#include "core/tape/record.hpp"
#include "ops/compare.hpp"
#include "ops/expand.hpp"
#include "ops/masked_fill.hpp"

namespace stepgrad {

// Y = A where M ≠ 0, else B      M, A, B: shapes that broadcast      Y: what they broadcast to
// dA = dY where M ≠ 0, else 0    dB = 0 where M ≠ 0, else dY
struct WhereBackward final : Node {
  static constexpr Formula formula{"where", "Y = A where M ≠ 0, else B",
      "dA = dY where M ≠ 0, else 0   dB = 0 where M ≠ 0, else dY",
      of_each([](Inputs x, const Attributes&) { return where(x[2], x[0], x[1]); }), Traits{.mask = "M"}};
  WhereBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    if (a) a.add_grad(masked_fill(dY, eq(M, 0), 0));      // dA = dY where M ≠ 0, else 0
    if (b) b.add_grad(masked_fill(std::move(dY), M, 0));  // dB = 0 where M ≠ 0, else dY
  }
  Input a{this}, b{this}, m{this};
  Saved M{this, "M", &m};
};

Tensor where(Arg mask, Arg a, Arg b) {
  check_operands("where", mask, a, b);
  const Shape shape = broadcast("where", mask.shape(), broadcast("where", a, b));
  auto node = record<WhereBackward>(a, b, without_grad(mask));
  if (node) node->M = mask.tensor;
  node.kind = promoted(a.tensor.kind(), b.tensor.kind());
  const NoGrad no_grad;
  const auto expanded = [&](Arg& x) { return x.shape() == shape ? x.tensor : expand(std::move(x), shape); };
  const Tensor M = expanded(mask), A = expanded(a), B = expanded(b), y = Tensor::empty(shape);
  kernels::table().where(y.numel(), M.data(), A.data(), B.data(), y.data());
  return on_tape(y, std::move(node));
}

}
