#include "ops/div.hpp"

#include "core/tape/record.hpp"
#include "core/tensor/elementwise.hpp"
#include "ops/mul.hpp"
#include "ops/neg.hpp"

namespace stepgrad {

// Y = A/B        A, B: shapes that broadcast      Y: what they broadcast to
// dA = dY/B      dB = -dY∘(A/B)/B
struct DivBackward final : Node {
  static constexpr Formula formula{"div", "Y = A/B", "dA = dY/B   dB = -dY∘(A/B)/B", of_each<div>(), Kind::floating};
  DivBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    if (b) b.add_grad(neg(mul(dY, div(div(A, B), B))));  // dB = -dY∘(A/B)/B
    if (a) a.add_grad(div(std::move(dY), B));            // dA = dY/B
  }
  Input a{this}, b{this};
  Saved A{this, "A", &a}, B{this, "B", &b};  // A only if b requires a gradient
};

Tensor div(Arg a, Arg b) {
  const Shape shape = broadcast("div", a, b);
  auto node = record<DivBackward>(a, b);
  if (node && node->b) node->A = a.tensor;
  if (node) node->B = b.tensor;
  const Tensor y = elementwise(kernels::table().div, shape, a, b);
  return on_tape(y, std::move(node));
}

Tensor Tensor::div_(Arg b) const {
  const Arg a(*this, b.loc);
  check_in_place("div_", a, b, Kind::floating);
  auto node = record<DivBackward>(a, b);
  if (node && node->b) node->A = copied();
  if (node) node->B = b.tensor.apart_from(*this);
  elementwise_(kernels::table().div, *this, b);
  return written_in_place(*this, std::move(node));
}

}
