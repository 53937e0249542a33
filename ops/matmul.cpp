#include "ops/matmul.hpp"

#include "core/autocast.hpp"
#include "core/check.hpp"
#include "core/record.hpp"
#include "ops/batched_matmul.hpp"
#include "ops/reshape.hpp"

namespace stepgrad {

static Tensor matmul_nt(const Tensor& A, const Tensor& B);
static Tensor matmul_tn(const Tensor& A, const Tensor& B);

// Y = A·B           A: [..., k]   B: [k, n]   Y: [..., n]
// dA = dY·Bᵀ        dB = Aᵀ·dY
struct MatmulBackward final : Node {
  static constexpr Formula formula{"matmul", "Y = A·B", "dA = dY·Bᵀ   dB = Aᵀ·dY"};
  MatmulBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    if (a) a.add_grad(matmul_nt(dY, B));  // dA = dY·Bᵀ
    if (b) b.add_grad(matmul_tn(A, dY));  // dB = Aᵀ·dY
  }
  Input a{this}, b{this};
  Saved A{this, "A"}, B{this, "B"};  // each only if the other wants its gradient
};

static Tensor matmul_2d(Arg a, Arg b) {
  a = autocast(std::move(a)), b = autocast(std::move(b));
  const auto node = record<MatmulBackward>(a, b);
  if (node && node->b) node->A = a.tensor;
  if (node && node->a) node->B = b.tensor;
  const int64_t m = a.shape().rows(), k = b.shape()[0], n = b.shape()[1];
  const Tensor y = Tensor::empty(a.shape().with(a.shape().dims() - 1, n));
  kernels::table().matmul({m, n, k}, a.data(), b.data(), y.data());
  return autocast({on_tape(y, node), a.loc}).tensor;
}

// A·Bᵀ      A: [..., k]   B: [n, k]   result: [..., n]
static Tensor matmul_nt(const Tensor& A, const Tensor& B) {
  const int64_t m = A.shape().rows(), n = B.size(0), k = B.size(1);
  const Tensor y = Tensor::empty(A.shape().with(A.dim() - 1, n));
  kernels::table().matmul_nt({m, n, k}, A.data(), B.data(), y.data());
  return y;
}

// Aᵀ·B      A: [..., m]   B: [..., n]   result: [m, n]
static Tensor matmul_tn(const Tensor& A, const Tensor& B) {
  const int64_t m = A.size(-1), n = B.size(-1), k = A.shape().rows();
  const Tensor y = Tensor::empty({m, n});
  kernels::table().matmul_tn({m, n, k}, A.data(), B.data(), y.data());
  return y;
}

Tensor matmul(Arg a, Arg b) {
  const Shape left = a.shape(), right = b.shape();
  check<ShapeError>(left.dims() && right.dims(), "matmul: ", left, " · ", right,
                    ": a single number is no matrix");
  const int64_t inner = right[right.dims() == 1 ? 0 : -2];
  check<ShapeError>(left[-1] == inner, "matmul: ", left, " · ", right, ": inner sizes differ, ",
                    left[-1], " != ", inner);
  const Loc loc = a.loc;
  if (left.dims() == 1) {  // a row
    const Tensor y = matmul({unsqueeze(std::move(a), 0), loc}, std::move(b));
    return right.dims() == 1 ? reshape({y, loc}, {}) : squeeze({y, loc}, -2);
  }
  if (right.dims() == 1) {  // a column
    return squeeze({matmul(std::move(a), {unsqueeze(std::move(b), 1), loc}), loc}, -1);
  }
  return right.dims() == 2 ? matmul_2d(std::move(a), std::move(b))
                           : batched_matmul(std::move(a), std::move(b));
}

}  // namespace stepgrad
