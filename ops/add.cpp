#include "ops/add.hpp"

#include "core/tape/record.hpp"
#include "core/tensor/elementwise.hpp"

namespace stepgrad {

// Y = A + B      A, B: shapes that broadcast      Y: what they broadcast to
// dA = dY        dB = dY
struct AddBackward final : Node {
  static constexpr Formula formula{"add", "Y = A + B", "dA = dY   dB = dY", of_each<add>()};
  AddBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    if (b) b.add_grad(dY);             // dB = dY
    if (a) a.add_grad(std::move(dY));  // dA = dY
  }
  Input a{this}, b{this};
};

Tensor add(Arg a, Arg b) {
  const Shape shape = broadcast("add", a, b);
  auto node = record<AddBackward>(a, b);
  return on_tape(elementwise(kernels::table().add, shape, a, b), std::move(node));
}

Tensor Tensor::add_(Arg b) const {
  const Arg a(*this, b.loc);
  check_in_place("add_", a, b);
  auto node = record<AddBackward>(a, b);
  elementwise_(kernels::table().add, *this, b);
  return written_in_place(*this, std::move(node));
}

}
