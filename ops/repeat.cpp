#include "ops/repeat.hpp"

#include "core/check.hpp"
#include "core/tape/record.hpp"
#include "ops/reshape.hpp"
#include "ops/sum.hpp"

namespace stepgrad {

static Tensor repeat_dim(const Tensor& x, int dim, int64_t times);
static Tensor sum_repeats(const Tensor& y, int dim, int64_t n);
static Tensor sum_repeats_by_ops(const Tensor& y, int dim, int64_t n);

// Y[t·n + i] = X[i] along each dimension      X: [n, ..]   Y: [times·n, ..]
// dX[i] = Σ_t dY[t·n + i]
struct RepeatBackward final : Node {
  static constexpr Formula formula{"repeat", "Y[t·n + i] = X[i]", "dX[i] = Σ_t dY[t·n + i]",
      [](Inputs x, const Attributes& of) { return repeat(x[0], shape_of(of.all("times"))); }, Traits{.moves = true}};
  RepeatBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    for (int dim = 0; dim < from.dims(); ++dim) dY = sum_repeats(dY, dim, from[dim]);
    x.add_grad(reshape(dY, x.shape));  // dX[i] = Σ_t dY[t·n + i]
  }
  void backward_by_ops(Tensor dY) override {
    for (int dim = 0; dim < from.dims(); ++dim) dY = sum_repeats_by_ops(dY, dim, from[dim]);
    x.add_grad(reshape(dY, x.shape));
  }
  Attributes attributes() const override { return {{"times", {times.begin(), times.end()}}}; }
  Input x{this};
  Shape times;
  Shape from;  // X's shape with as many dimensions as Y's
};

// For instance [2^40, 0] repeated 2^40 times.
static void check_repeats(const Shape& from, const Shape& times) {
  Shape to = times;
  for (int dim = 0; dim < to.dims(); ++dim) {
    int64_t size;
    check<ShapeError>(!__builtin_mul_overflow(from[dim], times[dim], &size), "repeat: ", from, " by ", times,
        " has more elements than memory has addresses");
    to = to.with(dim, size);
  }
  check_sizes("repeat", to);
}

Tensor repeat(Arg x, const Shape& times) {
  const Shape& shape = x.shape();
  check_sizes("repeat", times);
  check<ShapeError>(
      times.dims() >= shape.dims(), "repeat: ", shape, " by ", times, ": fewer numbers of repeats than dimensions");
  auto node = record<RepeatBackward>(x);
  Shape from = shape;
  while (from.dims() < times.dims()) from = from.insert(0, 1);
  check_repeats(from, times);
  if (node) node->from = from, node->times = times;
  Tensor y = x.tensor.with_shape(from);
  for (int dim = 0; dim < times.dims(); ++dim) y = repeat_dim(y, dim, times[dim]);
  const bool nothing_repeated = y.storage().get() == x.tensor.storage().get();
  return on_tape(nothing_repeated ? y.copied() : y, std::move(node));
}

// One dimension at a time: x is viewed as [outer, block], and each block is repeated `times` times.
static Tensor repeat_dim(const Tensor& x, int dim, int64_t times) {
  if (times == 1) return x;
  const Tensor y = Tensor::empty(x.shape().with(dim, times * x.size(dim)));
  const int64_t outer = x.shape().numel(0, dim);
  const int64_t block = x.shape().numel(dim, x.shape().dims());
  kernels::table().copy({3, {outer, times, block}, {block, 0, 1}, {block, 0, 1}}, x.data(), y.data());
  return y;
}

// The reverse: y is viewed as [outer, times, block], and the blocks are added.
static Tensor sum_repeats(const Tensor& y, int dim, int64_t n) {
  if (y.size(dim) == n) return y;
  const Tensor x = Tensor::empty(y.shape().with(dim, n));
  const int64_t outer = x.shape().numel(0, dim);
  const int64_t block = x.shape().numel(dim, x.shape().dims());
  if (x.numel() > 0) kernels::table().sum(outer, y.size(dim) / n, block, y.data(), x.data());
  return x;
}

static Tensor sum_repeats_by_ops(const Tensor& y, int dim, int64_t n) {
  if (y.size(dim) == n) return y;
  const Shape to = y.shape().with(dim, n);
  const int64_t outer = to.numel(0, dim), block = to.numel(dim, to.dims());
  return reshape(sum(reshape(y, {outer, n ? y.size(dim) / n : 0, block}), 1), to);
}

}
