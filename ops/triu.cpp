#include "ops/triu.hpp"

#include <algorithm>

#include "core/check.hpp"
#include "core/tape/record.hpp"
#include "core/tensor/elementwise.hpp"

namespace stepgrad {

// Y[i, j] = X[i, j] where j - i >= diagonal, else 0      X, Y: [.., m, n]
// dX = triu(dY)
struct TriuBackward final : Node {
  static constexpr Formula formula{"triu", "Y = triu(X)", "dX = triu(dY)",
      [](Inputs x, const Attributes& of) { return triu(x[0], of("diagonal")); }};
  TriuBackward() : Node(formula) {}
  void backward(Tensor dY) override { x.add_grad(triu(std::move(dY), diagonal)); }
  Attributes attributes() const override { return {{"diagonal", {double(diagonal)}}}; }
  Input x{this};
  int64_t diagonal = 0;
};

Tensor triu(Arg x, int64_t diagonal) {
  check<ShapeError>(x.shape().dims() >= 2, "triu: ", x.shape(), " is no matrix");
  auto node = record<TriuBackward>(x);
  if (node) node->diagonal = diagonal;
  const int64_t m = x.shape()[-2], n = x.shape()[-1], rows = n ? x.shape().rows() : 0;
  diagonal = std::clamp(diagonal, -m, n);  // beyond, nothing changes
  const Scalar* from = x.data();
  const Tensor y = output(x.shape(), x);
  Scalar* to = y.data();
  for (int64_t r = 0; r < rows; ++r, from += n) {
    const int64_t zeros = std::clamp<int64_t>(r % m + diagonal, 0, n);
    std::fill_n(to, zeros, Scalar(0));
    if (to != from) std::copy_n(from + zeros, n - zeros, to + zeros);
    to += n;
  }
  return on_tape(y, std::move(node));
}

}
