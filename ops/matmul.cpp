#include "ops/matmul.hpp"

#include "core/autocast.hpp"
#include "core/check.hpp"
#include "core/record.hpp"
#include "ops/batched_matmul.hpp"
#include "ops/bfloat16.hpp"
#include "ops/reshape.hpp"

namespace stepgrad {

static Tensor matmul_nt(kernels::Product kernel, const Tensor& A, const Tensor& B);
static Tensor matmul_tn(kernels::Product kernel, const Tensor& A, const Tensor& B);

// Y = A·B           A: [..., k]   B: [k, n]   Y: [..., n]
// dA = dY·Bᵀ        dB = Aᵀ·dY
struct MatmulBackward final : Node {
  static constexpr Formula formula{"matmul", "Y = A·B", "dA = dY·Bᵀ   dB = Aᵀ·dY"};
  MatmulBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    if (b) b.add_grad(matmul_tn(kernel->tn, take(A), dY));  // dB = Aᵀ·dY; dA may lie where A lay
    if (a) a.add_grad(matmul_nt(kernel->nt, dY, B));        // dA = dY·Bᵀ
  }
  Input a{this}, b{this};
  Saved A{this, "A"}, B{this, "B"};  // each only if the other wants its gradient
  const kernels::Matmul* kernel = &matmul_kernels();
};

// A·Bᵀ      A: [..., k]   B: [n, k]   result: [..., n]
static Tensor matmul_nt(kernels::Product kernel, const Tensor& A, const Tensor& B) {
  const Tensor y = Tensor::empty(A.shape().with(A.dim() - 1, B.size(0)));
  kernel(product_sizes(y.shape(), B.size(1)), A.data(), B.data(), y.data());
  return y;
}

// Aᵀ·B      A: [..., m]   B: [..., n]   result: [m, n]
static Tensor matmul_tn(kernels::Product kernel, const Tensor& A, const Tensor& B) {
  const Tensor y = Tensor::empty({A.size(-1), B.size(-1)});
  kernel(product_sizes(y.shape(), A.shape().rows()), A.data(), B.data(), y.data());
  return y;
}

static Shape checked_shape(const Shape& left, const Shape& right) {
  const int64_t inner = right[right.dims() == 1 ? 0 : -2];
  check<ShapeError>(left[-1] == inner, "matmul: ", left, " · ", right, ": inner sizes differ, ",
                    left[-1], " != ", inner);
  return left.with(left.dims() - 1, right[-1]);
}

// [..., k] · [k, n] in the Autocast's format.
static Tensor rounded_matmul(const Arg& a, const Arg& b) {
  const Arg A = autocast(a), B = autocast(b);
  auto [y, node] = record_product<MatmulBackward>(checked_shape(A.shape(), B.shape()), A, B);
  matmul_kernels().nn(product_sizes(y.shape(), B.shape()[0]), A.data(), B.data(), y.data());
  return autocast({on_tape(y, std::move(node)), A.loc}).tensor;
}

// A row on the left, a column or a batch of matrices on the right, or a narrower format.
static Tensor matmul_other(const Arg& a, const Arg& b) {
  const Shape left = a.shape(), right = b.shape();
  check<ShapeError>(left.dims() && right.dims(), "matmul: ", left, " · ", right,
                    ": a single number is no matrix");
  checked_shape(left, right);
  const Loc loc = a.loc;
  if (left.dims() == 1) {
    const Tensor y = matmul({unsqueeze(a, 0), loc}, b);
    return right.dims() == 1 ? reshape({y, loc}, {}) : squeeze({y, loc}, -2);
  }
  if (right.dims() == 1) return squeeze({matmul(a, {unsqueeze(b, 1), loc}), loc}, -1);
  if (right.dims() > 2) return batched_matmul(a, b);
  return rounded_matmul(a, b);
}

Tensor matmul(Arg a, Arg b) {
  if (Autocast::current() || a.dim() < 2 || b.dim() != 2) return matmul_other(a, b);
  auto [y, node] = record_product<MatmulBackward>(checked_shape(a.shape(), b.shape()), a, b);
  kernels::table().matmul.nn(product_sizes(y.shape(), b.shape()[0]), a.data(), b.data(), y.data());
  return on_tape(y, std::move(node));
}

}  // namespace stepgrad
