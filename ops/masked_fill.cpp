#include "ops/masked_fill.hpp"

#include <cmath>

#include "core/check.hpp"
#include "core/tape/record.hpp"
#include "core/tensor/elementwise.hpp"

namespace stepgrad {

// Y = value where M ≠ 0, else X      X, Y: one shape   M: broadcasts to it
// dX = 0 where M ≠ 0, else dY
struct MaskedFillBackward final : Node {
  static constexpr Formula formula{"masked_fill", "Y = value where M ≠ 0, else X", "dX = 0 where M ≠ 0, else dY",
      of_each([](Inputs x, const Attributes& of) { return masked_fill(x[0], x[1], of("value")); }),
      Traits{.mask = "M"}};
  MaskedFillBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    x.add_grad(masked_fill(std::move(dY), M, 0));  // dX = 0 where M ≠ 0, else dY
  }
  Attributes attributes() const override { return {{"value", {value}}}; }
  Input x{this}, m{this};
  Saved M{this, "M", &m};
  Scalar value = 0;
};

static Recorded<MaskedFillBackward> record_masked_fill(const char* op, const Arg& x, const Arg& mask, Scalar value) {
  check_operands(op, x, mask);
  check<ShapeError>(
      broadcast(op, x, mask) == x.shape(), op, ": a mask of ", mask.shape(), " does not broadcast to ", x.shape());
  auto node = record<MaskedFillBackward>(x, without_grad(mask));
  if (node) node->M = mask.tensor, node->value = value;
  node.kind = promoted(x.tensor.kind(), kind_of(value));
  return node;
}

Tensor masked_fill(Arg x, Arg mask, Scalar value) {
  auto node = record_masked_fill("masked_fill", x, mask, value);
  const kernels::Strides walk = strides(x.shape(), x.shape(), mask.shape());
  const Scalar* data = x.data();
  const Tensor y = output(x.shape(), x);
  kernels::table().masked_fill(walk, data, mask.data(), value, y.data());
  return on_tape(y, std::move(node));
}

Tensor Tensor::masked_fill_(Arg mask, Scalar value) const {
  const Arg x(*this, mask.loc);
  check_operands("masked_fill_", x, mask);
  check_in_place("masked_fill_", *this, shape(), false, std::isfinite(value) ? kind_of(value) : Kind::floating);
  mask.tensor = mask.tensor.apart_from(*this);
  auto node = record_masked_fill("masked_fill_", x, mask, value);
  const kernels::Strides walk = strides(shape(), shape(), mask.shape());
  kernels::table().masked_fill(walk, data(), mask.data(), value, data());
  return written_in_place(*this, std::move(node));
}

}
