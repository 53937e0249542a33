#include "ops/prod.hpp"

#include <vector>

#include "core/tape/record.hpp"
#include "ops/expand.hpp"
#include "ops/eye.hpp"
#include "ops/masked_fill.hpp"
#include "ops/mul.hpp"
#include "ops/permute.hpp"
#include "ops/reshape.hpp"

namespace stepgrad {

static Tensor products_of_others(const Tensor& X, int dim);

// Y = Π X along one dimension
// dX[i] = dY·Π X[j] over j ≠ i        not dY·Y / X[i]: X may have zeros
struct ProdBackward final : Node {
  static constexpr Formula formula{"prod", "Y = Π X", "dX[i] = dY·Π X[j], j ≠ i",
      [](Inputs x, const Attributes& of) { return prod(x[0], of("dim"), of("keepdim") != 0); }, Traits{.sums = "dim"}};
  ProdBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    const Shape one = X.shape().with(dim, 1);
    x.add_grad(products_of_others(X, dim) * reshape(dY, one));  // dX[i] = dY·Π X[j]
  }
  // One row per i, in which X[i] is replaced by 1.
  void backward_by_ops(Tensor dY) override {
    if (X.numel() == 0) return backward(std::move(dY));
    const Tensor turned = transpose(X, dim, -1);
    const int64_t n = X.shape().along(dim);
    const Tensor rows = expand(reshape(turned, {X.numel() / n, 1, n}), {-1, n, n});
    const Tensor others = reshape(prod(masked_fill(rows, eye(n), 1), -1), turned.shape());
    x.add_grad(transpose(others, dim, -1) * reshape(dY, X.shape().with(dim, 1)));
  }
  Attributes attributes() const override { return {{"dim", {double(dim)}}, {"keepdim", {double(keepdim)}}}; }
  Input x{this};
  Saved X{this, "X", &x};
  int dim = 0;
  bool keepdim = false;
};

Tensor prod(Arg x, int dim, bool keepdim) {
  const Shape& shape = x.shape();
  dim = shape.index_or_0(dim, "prod");
  auto node = record<ProdBackward>(x);
  if (node) node->X = x.tensor, node->dim = dim, node->keepdim = keepdim;
  const Tensor y = Tensor::empty(keepdim ? shape.with(dim, 1) : shape.erase(dim));
  const int64_t n = shape.along(dim), inner = shape.numel(dim + 1, shape.dims());
  for (int64_t r = 0; r < y.numel(); ++r) {
    const Scalar* first = x.data() + r / inner * n * inner + r % inner;
    double product = 1;
    for (int64_t j = 0; j < n; ++j) product *= first[j * inner];
    y.data()[r] = Scalar(product);
  }
  return on_tape(y, std::move(node));
}

Tensor prod(Arg x) {
  const int64_t n = x.numel();
  const OpCall call(x);
  return prod(reshape(std::move(x), {n}), 0);
}

// The products before each element times those behind it.
static Tensor products_of_others(const Tensor& X, int dim) {
  const Tensor y = Tensor::empty(X.shape());
  const int64_t n = X.shape().along(dim), inner = X.shape().numel(dim + 1, X.dim());
  for (int64_t r = 0; n > 0 && r < X.numel() / n; ++r) {
    const int64_t first = r / inner * n * inner + r % inner;
    std::vector<double> before(n);
    double product = 1;
    for (int64_t j = 0; j < n; ++j) {
      before[j] = product;
      product *= X.data()[first + j * inner];
    }
    product = 1;
    for (int64_t j = n - 1; j >= 0; --j) {
      y.data()[first + j * inner] = Scalar(before[j] * product);
      product *= X.data()[first + j * inner];
    }
  }
  return y;
}

}
