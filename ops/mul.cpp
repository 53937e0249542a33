#include "ops/mul.hpp"

#include "core/tape/record.hpp"
#include "core/tensor/elementwise.hpp"

namespace stepgrad {

// Y = A∘B        A, B: shapes that broadcast      Y: what they broadcast to
// dA = dY∘B      dB = dY∘A
struct MulBackward final : Node {
  static constexpr Formula formula{"mul", "Y = A∘B", "dA = dY∘B   dB = dY∘A", of_each<mul>()};
  MulBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    if (b) b.add_grad(mul(dY, A));             // dB = dY∘A
    if (a) a.add_grad(mul(std::move(dY), B));  // dA = dY∘B
  }
  Input a{this}, b{this};
  Saved A{this, "A", &a}, B{this, "B", &b};  // A only if b requires a gradient, B only if a does
};

Tensor mul(Arg a, Arg b) {
  const Shape shape = broadcast("mul", a, b);
  auto node = record_product<MulBackward>(a, b);
  return on_tape(elementwise(kernels::table().mul, shape, a, b), std::move(node));
}

Tensor Tensor::mul_(Arg b) const {
  const Arg a(*this, b.loc);
  check_in_place("mul_", a, b);
  auto node = record<MulBackward>(a, b);
  if (node && node->b) node->A = copied();
  if (node && node->a) node->B = b.tensor.apart_from(*this);
  elementwise_(kernels::table().mul, *this, b);
  return written_in_place(*this, std::move(node));
}

}
