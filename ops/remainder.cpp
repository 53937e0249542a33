#include "ops/remainder.hpp"

#include <algorithm>
#include <cmath>

#include "core/tape/record.hpp"
#include "ops/expand.hpp"
#include "ops/mul.hpp"
#include "ops/neg.hpp"

namespace stepgrad {
namespace {

Scalar rest_of(Scalar a, Scalar b) {
  const Scalar rest = std::fmod(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

// ⌊a/b⌋, exact even if a/b rounds to the next whole number.
Scalar floor_of(Scalar a, Scalar b) {
  if (b == 0) return a / b;
  const Scalar rest = std::fmod(a, b), whole = std::nearbyint((a - rest) / b);
  if (rest != 0 && (rest < 0) != (b < 0)) return whole - 1;
  return whole == 0 ? std::copysign(Scalar(0), a / b) : whole;
}

Tensor each(const char* op, const Arg& a, const Arg& b, Scalar (*f)(Scalar, Scalar)) {
  const Shape shape = broadcast(op, a, b);
  const Tensor y = Tensor::empty(shape), x = expand(a.tensor.off_tape(), shape), z = expand(b.tensor.off_tape(), shape);
  std::transform(x.data(), x.data() + x.numel(), z.data(), y.data(), f);
  return y;
}

}

// Y = A - ⌊A/B⌋∘B
// dA = dY      dB = -dY∘⌊A/B⌋
struct RemainderBackward final : Node {
  static constexpr Formula formula{"remainder", "Y = A - ⌊A/B⌋∘B", "dA = dY   dB = -dY∘⌊A/B⌋", of_each<remainder>()};
  RemainderBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    if (b) b.add_grad(neg(mul(dY, Q)));  // dB = -dY∘⌊A/B⌋
    if (a) a.add_grad(std::move(dY));    // dA = dY
  }
  Input a{this}, b{this};
  Saved Q{this, "Q"};  // ⌊A/B⌋, only for B's gradient
};

Tensor remainder(Arg a, Arg b) {
  auto node = record<RemainderBackward>(a, b);
  if (node && node->b) node->Q = each("remainder", a, b, &floor_of);
  return on_tape(each("remainder", a, b, &rest_of), std::move(node));
}

// Y = ⌊A/B⌋. A step has no gradient.
static constexpr Formula floors{"floor_divide", "Y = ⌊A/B⌋", "", of_each<floor_divide>()};

Tensor floor_divide(Arg a, Arg b) {
  auto node = record_step<floors>({}, a, b);
  return on_tape(each("floor_divide", a, b, &floor_of), std::move(node));
}

}
