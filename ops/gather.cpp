#include "ops/gather.hpp"

#include "core/check.hpp"
#include "core/tape/modes.hpp"
#include "core/tape/record.hpp"
#include "ops/one_hot.hpp"
#include "ops/permute.hpp"
#include "ops/reshape.hpp"
#include "ops/slice.hpp"
#include "ops/sum.hpp"
#include "ops/where.hpp"

namespace stepgrad {

// Calls f(i, j) for each element i of `index` and the element j that it names of x, of shape
// `from`.
static void each_named(const Shape& from, int dim, const Tensor& index, auto f) {
  const int64_t n = from.along(dim), k = index.shape().along(dim), inner = from.numel(dim + 1, from.dims());
  for (int64_t i = 0; i < index.numel(); ++i) {
    const int64_t outer = i / (k * inner), named = int64_t(index.data()[i]);
    f(i, (outer * n + named) * inner + i % inner);
  }
}

// Y[.., j, ..] = X[.., I[.., j, ..], ..]          X: [.., n, ..]   I, Y: [.., k, ..]
// dX[.., I[.., j, ..], ..] += dY[.., j, ..]
struct GatherBackward final : Node {
  static constexpr Formula formula{"gather", "Y[j] = X[I[j]]", "dX[I[j]] += dY[j]",
      [](Inputs x, const Attributes& of) { return gather(x[0], of("dim"), x[1]); },
      Traits{.pieces = "X[I]", .moves = true, .mask = "I"}};
  GatherBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    Tensor dX = Tensor::zeros(x.shape);
    each_named(x.shape, dim, I, [&](int64_t i, int64_t j) { dX.data()[j] += dY.data()[i]; });
    x.add_grad(std::move(dX));  // dX[I[j]] += dY[j]
  }
  // One row per element of dY, with it at its index and 0 elsewhere; summed over dim.
  void backward_by_ops(Tensor dY) override {
    const Tensor rows = where(one_hot(I, x.shape.along(dim)), unsqueeze(dY, -1), Tensor::zeros({}));
    const Tensor dX = sum(rows, dim, true);
    x.add_grad(squeeze(transpose(dX, dim, -1), -1));
  }
  Attributes attributes() const override { return {{"dim", {double(dim)}}}; }
  Input x{this}, i{this};
  Saved I{this, "I", &i};
  int dim = 0;
};

Tensor gather(Arg x, int dim, Arg index) {
  check_operands("gather", x, index);
  const Shape& from = x.shape();
  dim = from.index_or_0(dim, "gather");
  check<ShapeError>(index.dim() == from.dims(), "gather: ", from, " by an index of ", index.shape(),
      ": it has not as many dimensions");
  bool fits = true;
  for (int d = 0; d < from.dims(); ++d) fits = fits && (d == dim || index.shape()[d] <= from[d]);
  check<ShapeError>(
      fits, "gather: ", from, " by an index of ", index.shape(), ": it is larger in another dimension than ", dim);
  for (int d = 0; d < from.dims(); ++d) {
    if (d == dim || index.shape()[d] == from[d]) continue;
    const OpCall call(x.loc);
    return gather(slice(std::move(x), d, 0, index.shape()[d]), dim, index);
  }
  check_ids("gather", index.tensor, from.along(dim));
  auto node = record<GatherBackward>(x, without_grad(index));
  if (node) node->I = index.tensor, node->dim = dim;
  const Tensor y = Tensor::empty(index.shape());
  each_named(from, dim, index.tensor, [&](int64_t i, int64_t j) { y.data()[i] = x.data()[j]; });
  return on_tape(y, std::move(node));
}

}
