#include "ops/clamp.hpp"

#include "core/check.hpp"
#include "core/tape/record.hpp"
#include "core/tensor/elementwise.hpp"
#include "ops/compare.hpp"
#include "ops/masked_fill.hpp"
#include "ops/mul.hpp"

namespace stepgrad {

// Y = min(max(X, lo), hi)
// dX = dY where lo <= X <= hi, else 0
struct ClampBackward final : Node {
  static constexpr Formula formula{"clamp", "Y = min(max(X, lo), hi)", "dX = dY where lo <= X <= hi, else 0",
      of_each([](Inputs x, const Attributes& of) { return clamp(x[0], of("lo"), of("hi")); }),
      Traits{.pieces = "X >= lo, X <= hi"}};
  ClampBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    const Scalar* dy = dY.data();
    kernels::table().clamp_grad(dY.numel(), dy, X.data(), lo, hi, dY.data());  // dX = dY where ...
    x.add_grad(std::move(dY));
  }
  void backward_by_ops(Tensor dY) override { x.add_grad(masked_fill(dY, eq(ge(X, lo) * le(X, hi), 0), 0)); }
  Attributes attributes() const override { return {{"lo", {lo}}, {"hi", {hi}}}; }
  Input x{this};
  Saved X{this, "X", &x};
  Scalar lo = 0, hi = 0;
};

namespace {

Recorded<ClampBackward> record_clamp(const char* op, const Arg& x, Scalar lo, Scalar hi) {
  check<ValueError>(lo <= hi, op, ": min ", lo, " is not at most max ", hi);
  auto node = record<ClampBackward>(x);
  if (node) node->lo = lo, node->hi = hi;
  node.kind = promoted(node.kind, promoted(kind_of(lo), kind_of(hi)));
  return node;
}

}

Tensor clamp(Arg x, Scalar lo, Scalar hi) {
  auto node = record_clamp("clamp", x, lo, hi);
  if (node) node->X = x.tensor;
  const Scalar* data = x.data();
  const Tensor y = output(x.shape(), x);
  kernels::table().clamp(y.numel(), data, lo, hi, y.data());
  return on_tape(y, std::move(node));
}

Tensor Tensor::clamp_(Scalar lo, Scalar hi, Loc loc) const {
  const Arg x(*this, loc);
  check_in_place("clamp_", *this, x.shape(), false, promoted(kind_of(lo), kind_of(hi)));
  auto node = record_clamp("clamp_", x, lo, hi);
  if (node) node->X = copied();
  kernels::table().clamp(numel(), data(), lo, hi, data());
  return written_in_place(*this, std::move(node));
}

}
