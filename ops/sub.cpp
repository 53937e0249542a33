#include "ops/sub.hpp"

#include "core/tape/record.hpp"
#include "core/tensor/elementwise.hpp"
#include "ops/neg.hpp"

namespace stepgrad {

// Y = A - B      A, B: shapes that broadcast      Y: what they broadcast to
// dA = dY        dB = -dY
struct SubBackward final : Node {
  static constexpr Formula formula{"sub", "Y = A - B", "dA = dY   dB = -dY", of_each<sub>()};
  SubBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    if (a) a.add_grad(dY);                  // dA = dY
    if (b) b.add_grad(neg(std::move(dY)));  // dB = -dY
  }
  Input a{this}, b{this};
};

Tensor sub(Arg a, Arg b) {
  const Shape shape = broadcast("sub", a, b);
  auto node = record<SubBackward>(a, b);
  return on_tape(elementwise(kernels::table().sub, shape, a, b), std::move(node));
}

Tensor Tensor::sub_(Arg b) const {
  const Arg a(*this, b.loc);
  check_in_place("sub_", a, b);
  auto node = record<SubBackward>(a, b);
  elementwise_(kernels::table().sub, *this, b);
  return written_in_place(*this, std::move(node));
}

}
