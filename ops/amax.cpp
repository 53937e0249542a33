#include "ops/amax.hpp"

#include "core/check.hpp"
#include "core/tape/record.hpp"
#include "ops/add.hpp"
#include "ops/compare.hpp"
#include "ops/div.hpp"
#include "ops/mul.hpp"
#include "ops/neg.hpp"
#include "ops/reshape.hpp"
#include "ops/sum.hpp"

namespace stepgrad {

// Y = max X along one dimension
// dX = dY∘H / Σ H, where H = 1 if X = Y or X is NaN, and else 0: those that tie share
struct AmaxBackward final : Node {
  static constexpr Formula formula{"amax", "Y = max X", "dX = dY∘H / Σ H, H = [X = Y or NaN]",
      [](Inputs x, const Attributes& of) { return amax(x[0], of("dim"), of("keepdim") != 0); },
      Traits{.pieces = "max X", .sums = "dim"}};
  AmaxBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    const Tensor H = eq(X, Y) + ne(X, X);
    x.add_grad(H * (reshape(dY, Y.shape()) / sum(H, dim, true)));  // dX = dY∘H / Σ H
  }
  Attributes attributes() const override { return {{"dim", {double(dim)}}, {"keepdim", {double(keepdim)}}}; }
  Input x{this};
  Saved X{this, "X", &x}, Y{this, "Y"};  // Y with size 1 along dim
  int dim = 0;
  bool keepdim = false;
};

static int checked_dim(const char* op, const Shape& shape, int dim) {
  dim = shape.index_or_0(dim, op);
  check<ShapeError>(shape.along(dim) > 0, op, ": ", shape, " has no elements along dimension ", dim);
  return dim;
}

Tensor amax(Arg x, int dim, bool keepdim) {
  const Shape& shape = x.shape();
  dim = checked_dim("amax", shape, dim);
  auto node = record<AmaxBackward>(x);
  const Tensor y = Tensor::empty(shape.with(dim, 1));
  const int64_t outer = shape.numel(0, dim);
  const int64_t inner = shape.numel(dim + 1, shape.dims());
  if (y.numel() > 0) kernels::table().amax(outer, shape.along(dim), inner, x.data(), y.data());
  if (node) node->X = x.tensor, node->Y = y, node->dim = dim, node->keepdim = keepdim;
  return on_tape(keepdim ? y : y.with_shape(shape.erase(dim)), std::move(node));
}

Tensor amin(Arg x, int dim, bool keepdim) {
  checked_dim("amin", x.shape(), dim);
  const OpCall call(x);
  return neg(amax(neg(std::move(x)), dim, keepdim));
}

}
