#include "ops/matmul.hpp"

#include "core/tape/record.hpp"
#include "ops/autocast.hpp"
#include "ops/batched_matmul.hpp"
#include "ops/permute.hpp"
#include "ops/reshape.hpp"

namespace stepgrad {

static Tensor matmul_nt(const Tensor& A, const Tensor& B);
static Tensor matmul_tn(const Tensor& A, const Tensor& B);

// Y = A·B           A: [..., k]   B: [k, n]   Y: [..., n]
// dA = dY·Bᵀ        dB = Aᵀ·dY
struct MatmulBackward final : Node {
  static constexpr Formula formula{
      "matmul", "Y = A·B", "dA = dY·Bᵀ   dB = Aᵀ·dY", of_two<matmul>, Traits{.sums = "...k,kn->...n"}};
  MatmulBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    if (b) b.add_grad(matmul_tn(take(A), dY));  // dB = Aᵀ·dY; dA may lie where A lay
    if (a) a.add_grad(matmul_nt(dY, B));        // dA = dY·Bᵀ
  }
  void backward_by_ops(Tensor dY) override {
    if (b) b.add_grad(matmul(t(as_rows(A)), as_rows(dY)));
    if (a) a.add_grad(matmul(dY, t(B)));
  }
  Input a{this}, b{this};
  Saved A{this, "A", &a}, B{this, "B", &b};  // A only if b requires a gradient, B only if a does
};

// A·Bᵀ      A: [..., k]   B: [n, k]   result: [..., n]
static Tensor matmul_nt(const Tensor& A, const Tensor& B) {
  const Tensor y = Tensor::empty(A.shape().with(A.dim() - 1, B.size(0)));
  kernels::table().matmul.nt(product_sizes(y.shape(), B.size(1)), A.data(), B.data(), y.data());
  return y;
}

// Aᵀ·B      A: [..., m]   B: [..., n]   result: [m, n]
static Tensor matmul_tn(const Tensor& A, const Tensor& B) {
  const Tensor y = Tensor::empty({A.size(-1), B.size(-1)});
  const kernels::Products sizes = product_sizes(y.shape(), A.shape().rows());
  kernels::table().matmul.tn(sizes, A.data(), B.data(), y.data());
  return y;
}

static Shape checked_shape(const Shape& a, const Shape& b) {
  check_inner_sizes(a, b);
  return a.with(a.dims() - 1, b[-1]);
}

// A: [..., k]   B: [k, n]
static Tensor product(Arg a, Arg b) {
  const Tensor y = Tensor::empty(checked_shape(a.shape(), b.shape()));
  auto node = record_product<MatmulBackward>(a, b);
  kernels::table().matmul.nn(product_sizes(y.shape(), b.shape()[0]), a.data(), b.data(), y.data());
  return on_tape(y, std::move(node));
}

// Vectors, which become a row or a column, and batches of matrices b; under autocast.
static Tensor other_product(Arg a, Arg b) {
  check_inner_sizes(a.shape(), b.shape());
  const OpCall call(a.loc);
  if (modes.cast) return autocast(matmul, a, b);
  const bool row = a.dim() == 1, column = b.dim() == 1;
  if (row) a = unsqueeze(a, 0);
  if (column) b = unsqueeze(b, 1);
  Tensor y = b.dim() == 2 ? product(a, b) : batched_matmul(a, b);
  if (column) y = squeeze(y, -1);
  return row ? squeeze(y, column ? -1 : -2) : y;
}

// Whether product() takes them.
static bool checked_operands(const Arg& a, const Arg& b) {
  check_operands("matmul", a, b);
  return !modes.cast && a.dim() >= 2 && b.dim() == 2;
}

Tensor matmul(Arg a, Arg b) { return checked_operands(a, b) ? product(a, b) : other_product(a, b); }

}
