#include "ops/cumsum.hpp"

#include "core/tape/record.hpp"
#include "ops/gather.hpp"
#include "ops/sub.hpp"

namespace stepgrad {

// The sums from the first element on along `dim`, or from the last one backwards.
static Tensor running_sums(const Tensor& x, int dim, bool backwards) {
  const int64_t n = x.shape().along(dim), inner = x.shape().numel(dim + 1, x.dim());
  const Tensor y = Tensor::empty(x.shape());
  for (int64_t r = 0; n && r < x.numel() / n; ++r) {
    const int64_t first = r / inner * n * inner + r % inner;
    double sum = 0;
    for (int64_t j = 0; j < n; ++j) {
      const int64_t i = first + (backwards ? n - 1 - j : j) * inner;
      y.data()[i] = Scalar(sum += x.data()[i]);
    }
  }
  return y;
}

// Y[j] = Σ X[i] over i <= j
// dX[i] = Σ dY[j] over j >= i
struct CumsumBackward final : Node {
  static constexpr Formula formula{"cumsum", "Y[j] = Σ X[i], i <= j", "dX[i] = Σ dY[j], j >= i",
      [](Inputs x, const Attributes& of) { return cumsum(x[0], of("dim")); }, Traits{.sums = "dim"}};
  CumsumBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    x.add_grad(running_sums(dY, dim, true));  // dX[i] = Σ dY[j], j >= i
  }
  void backward_by_ops(Tensor dY) override {
    const Tensor turned = shape.along(dim) - running_sums(Tensor::ones(shape), dim, false);  // n-1 .. 0
    x.add_grad(gather(cumsum(gather(dY, dim, turned), dim), dim, turned));
  }
  Attributes attributes() const override { return {{"dim", {double(dim)}}}; }
  Input x{this};
  int dim = 0;
};

Tensor cumsum(Arg x, int dim) {
  dim = x.shape().index_or_0(dim, "cumsum");
  auto node = record<CumsumBackward>(x);
  if (node) node->dim = dim;
  const Tensor y = running_sums(x.tensor, dim, false);
  check_counts("cumsum", y.set_kind(node.kind));
  return on_tape(y, std::move(node));
}

}
