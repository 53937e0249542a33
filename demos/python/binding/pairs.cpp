// Quotients and remainders of two operands.
#include "demos/python/binding/pairs.hpp"

#include <cmath>

#include "core/check.hpp"
#include "core/tape/modes.hpp"
#include "core/tape/record.hpp"

namespace stepgrad::python {
namespace {

bool wants_grad(const Arg& a, const Arg& b) {
  return grad_enabled() && (a.tensor.requires_grad() || b.tensor.requires_grad());
}

// ⌊x/y⌋, exact even if x/y rounds to the next whole number.
Scalar floor_of_quotient(Scalar x, Scalar y) {
  const Scalar rest = std::fmod(x, y), whole = std::nearbyint((x - rest) / y);
  if (y == 0) return x / y;
  if (rest != 0 && (rest < 0) != (y < 0)) return whole - 1;
  return whole == 0 ? std::copysign(Scalar(0), x / y) : whole;
}

// Y = A - Q∘B, where Q = ⌊A/B⌋
// dA = dY      dB = -dY∘Q
struct RestBackward final : Node {
  using Op = Tensor (*)(Arg, Arg);
  RestBackward(const Formula* formula, Op op) : Node(*formula), op(op) {}
  void backward(Tensor dY) override {
    if (b) b.add_grad(neg(mul(dY, Q)));  // dB = -dY∘Q
    if (a) a.add_grad(std::move(dY));    // dA = dY
  }
  bool has_second_gradient() const override { return true; }
  Tensor recompute(Inputs x) const override { return op(x[0], x[1]); }
  Op op;
  Input a{this}, b{this};
  Saved Q{this, "Q"};  // only for B's gradient
};

template <class Rest, class Whole>
Tensor rest(const Formula& formula, RestBackward::Op op, Arg a, Arg b, Rest f, Whole whole) {
  const Tensor* const operands[] = {&a.tensor, &b.tensor};
  auto node = record<RestBackward>(operands, a.loc, &formula, op);
  if (node && node->b) node->Q = each(formula.op, a, b, whole);
  return on_tape(each(formula.op, a, b, f), std::move(node));
}

}  // namespace

Tensor floor_divide(Arg a, Arg b) {
  check<Error>(!wants_grad(a, b), "//: has no gradient; detach() what is divided");
  return held(each("floor_divide", a, b, &floor_of_quotient), a.tensor.node() ? a : b);
}

// The result has the divisor's sign.
Tensor remainder(Arg a, Arg b) {
  static constexpr Formula formula{"remainder", "Y = A - ⌊A/B⌋∘B", "dA = dY   dB = -dY∘⌊A/B⌋"};
  const auto f = [](Scalar x, Scalar y) {
    const Scalar rest = std::fmod(x, y);
    return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
  };
  return rest(formula, &remainder, std::move(a), std::move(b), f, &floor_of_quotient);
}

}  // namespace stepgrad::python
