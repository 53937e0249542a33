#include "ops/cross_entropy.hpp"

#include <algorithm>
#include <cmath>

#include "core/check.hpp"
#include "core/tape/record.hpp"
#include "core/tensor/elementwise.hpp"
#include "ops/add.hpp"
#include "ops/compare.hpp"
#include "ops/div.hpp"
#include "ops/mul.hpp"
#include "ops/one_hot.hpp"
#include "ops/reshape.hpp"
#include "ops/softmax.hpp"
#include "ops/sub.hpp"
#include "ops/where.hpp"

namespace stepgrad {

// Y = -Σ_r Σ_c Q[r, c]·P[r, c] / rows      P = log_softmax(X)    X: [..., n]
//   Q[r, c] = (1 - s)·[c = T[r]] + s/n, or 0 where T[r] is ignored; `rows` are the others
// dX = dP - exp(P) Σ dP, with dP = -Q·dY / rows
struct CrossEntropyBackward final : Node {
  static constexpr Formula formula{"cross_entropy", "Y = -Σ Q·log_softmax(X) / rows", "dX = (softmax(X) - Q)·dY / rows",
      [](Inputs x, const Attributes& of) { return cross_entropy(x[0], x[1], of("ignore"), of("smoothing")); },
      Kind::floating, Traits{.sums = "...|,...->"}};
  CrossEntropyBackward() : Node(formula) {}
  void backward(Tensor dY) override;
  void backward_by_ops(Tensor dY) override;
  void fill(const Tensor& dP, int64_t first, int64_t count, Scalar dY) const;
  Attributes attributes() const override {
    return {{"rows", {double(rows)}}, {"ignore", {double(ignore)}}, {"smoothing", {smoothing}}};
  }
  Input x{this}, t{this};
  Saved P{this, "P"}, T{this, "T", &t};
  int64_t ignore = 0, rows = 0;
  Scalar smoothing = 0;
};

// P is X up to a constant per row, so softmax(P) = softmax(X).
void CrossEntropyBackward::backward_by_ops(Tensor dY) {
  const int64_t n = P.size(-1);
  const Tensor counts = ne(T, Scalar(ignore)), classes = one_hot(T * counts, n);
  const Tensor S = softmax(x.over(P));
  const Tensor counted = unsqueeze(counts, -1), of_counted = where(counted, dY, Tensor::zeros({}));
  const Tensor dX = (S - (classes * (1 - smoothing) + smoothing / n)) * of_counted / std::max<int64_t>(rows, 1);
  x.add_grad(where(counted, dX, S * 0));  // NaN of NaN, as backward()
}

// dP = -Q·dY / rows, for `count` rows from row `first` on
void CrossEntropyBackward::fill(const Tensor& dP, int64_t first, int64_t count, Scalar dY) const {
  const int64_t n = dP.size(-1);
  const Scalar each = -dY / Scalar(rows);
  const Scalar spread = smoothing > 0 ? each * smoothing / Scalar(n) : 0;  // not ∞·0
  kernels::table().fill(count * n, spread, dP.data());
  for (int64_t r = 0; r < count; ++r) {
    const Scalar target = T.data()[first + r];
    if (is_exactly(target, ignore))
      kernels::table().fill(n, 0, dP.data() + r * n);
    else
      dP.data()[r * n + int64_t(target)] += each * (1 - smoothing);
  }
}

void CrossEntropyBackward::backward(Tensor dY) {
  const int64_t n = P.size(-1), all = T.numel();
  const int64_t block = std::max<int64_t>((1 << 17) / (n + 1), 16);  // rows whose dP fits in the caches
  const Tensor dP = Tensor::empty({std::min(block, all), n});
  Arg p(take(P), loc);
  const Scalar* from = p.data();
  Tensor dX = output(p.shape(), p);
  for (int64_t first = 0; first < all; first += block) {
    const int64_t count = std::min(block, all - first), at = first * n;
    fill(dP, first, count, dY.item());
    kernels::table().log_softmax_grad(count, n, dP.data(), from + at, dX.data() + at);
  }
  x.add_grad(std::move(dX));  // dX = dP - exp(P) Σ dP
}

static void check_operands(const Arg& x, const Arg& t, int64_t ignore, Scalar smoothing) {
  check_operands("cross_entropy", x, t);
  const Shape &logits = x.shape(), &targets = t.shape();
  check<ShapeError>(logits.dims() > 0 && logits.erase(logits.dims() - 1) == targets, "cross_entropy: targets of ",
      targets, " for logits of ", logits, ": not one target a row");
  check<ValueError>(
      0 <= smoothing && smoothing <= 1, "cross_entropy: label_smoothing ", smoothing, " is not in [0, 1]");
  for (int64_t r = 0; r < t.numel(); ++r) {
    const Scalar target = t.data()[r];
    const bool is_class = 0 <= target && target < std::min(logits[-1], max_whole) && target == std::floor(target);
    check<IndexError>(is_class || is_exactly(target, ignore), "cross_entropy: target ", target, " is not one of the ",
        logits[-1], " classes of ", logits);
  }
}

// -Σ_c Q[r, c]·P[r, c] for one row.
static double surprise(const Scalar* p, int64_t n, int64_t target, Scalar smoothing) {
  double sum = 0;
  for (int64_t c = 0; smoothing > 0 && c < n; ++c) sum += p[c];
  return -(1 - smoothing) * double(p[target]) - smoothing * sum / n;
}

Tensor cross_entropy(Arg x, Arg t, int64_t ignore, Scalar smoothing) {
  check_operands(x, t, ignore, smoothing);
  auto node = record<CrossEntropyBackward>(x, without_grad(t));
  const int64_t n = x.shape()[-1];
  const Tensor P = Tensor::empty(x.shape());
  kernels::table().log_softmax(t.numel(), n, x.data(), P.data());
  double sum = 0;
  int64_t rows = 0;
  for (int64_t r = 0; r < t.numel(); ++r) {
    const Scalar target = t.data()[r];
    if (is_exactly(target, ignore)) continue;
    sum += surprise(P.data() + r * n, n, int64_t(target), smoothing);
    ++rows;
  }
  if (node) {
    node->P = P, node->T = t.tensor;
    node->ignore = ignore, node->rows = rows, node->smoothing = smoothing;
  }
  return on_tape(Tensor::full({}, Scalar(sum / rows)), std::move(node));
}

}
