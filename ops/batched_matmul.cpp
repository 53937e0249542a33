#include "ops/batched_matmul.hpp"

#include <vector>

#include "core/check.hpp"
#include "core/tape/record.hpp"
#include "ops/autocast.hpp"
#include "ops/permute.hpp"

namespace stepgrad {

static Tensor products(kernels::Product kernel, const Shape& y, int64_t k, const Tensor& A, const Tensor& B);

// Y[t] = A[t]·B[t]          A: [..., m, k]   B: [..., k, n]   Y: [..., m, n]   t: leading indices
// dA[t] = dY[t]·B[t]ᵀ       dB[t] = A[t]ᵀ·dY[t]
struct BatchedMatmulBackward final : Node {
  static constexpr Formula formula{"batched_matmul", "Y[t] = A[t]·B[t]", "dA[t] = dY[t]·B[t]ᵀ   dB[t] = A[t]ᵀ·dY[t]",
      of_two<batched_matmul>, Traits{.sums = "...mk,...kn->...mn"}};
  BatchedMatmulBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    const kernels::Matmul& kernel = kernels::table().matmul;
    const auto [m, n, k] = std::array{shape[-2], shape[-1], a.shape[-1]};
    if (a) a.add_grad(products(kernel.nt, matrices(m, k), n, dY, B));  // dA[t] = dY[t]·B[t]ᵀ
    if (b) b.add_grad(products(kernel.tn, matrices(k, n), m, A, dY));  // dB[t] = A[t]ᵀ·dY[t]
  }
  void backward_by_ops(Tensor dY) override {
    if (a) a.add_grad(batched_matmul(dY, transpose(B, -1, -2)));
    if (b) b.add_grad(batched_matmul(transpose(A, -1, -2), dY));
  }
  Shape matrices(int64_t rows, int64_t columns) const {
    return shape.with(shape.dims() - 2, rows).with(shape.dims() - 1, columns);
  }
  Input a{this}, b{this};
  Saved A{this, "A", &a}, B{this, "B", &b};  // A only if b requires a gradient, B only if a does
};

static Shape leading(const Shape& shape) { return shape.erase(shape.dims() - 1).erase(shape.dims() - 2); }

void check_inner_sizes(const Shape& a, const Shape& b) {
  check<ShapeError>(a.dims() && b.dims(), "matmul: ", a, " · ", b, ": a single number is no matrix");
  const int64_t inner = b[b.dims() == 1 ? 0 : -2];
  check<ShapeError>(a[-1] == inner, "matmul: ", a, " · ", b, ": inner sizes differ, ", a[-1], " != ", inner);
}

Tensor batched_matmul(Arg a, Arg b) {
  check_operands("batched_matmul", a, b);
  const Shape left = a.shape(), right = b.shape();
  check<ShapeError>(left.dims() >= 2 && right.dims() >= 2, "batched_matmul: ", left, " · ", right, ": not matrices");
  check_inner_sizes(left, right);
  Shape shape = broadcast("matmul", left, right, 2);
  shape = shape.with(shape.dims() - 2, left[-2]).with(shape.dims() - 1, right[-1]);
  if (modes.cast) return autocast(batched_matmul, std::move(a), std::move(b));
  auto node = record_product<BatchedMatmulBackward>(a, b);
  const Tensor y = products(kernels::table().matmul.nn, shape, left[-1], a.tensor, b.tensor);
  return on_tape(y, std::move(node));
}

// Where the matrix for each leading index of y begins in x, whose leading sizes broadcast to y's.
static std::vector<int64_t> offsets(const Shape& y, const Tensor& x) {
  const Shape lead = leading(y);
  int64_t stride[kernels::max_dims];
  dense_strides(leading(x.shape()), lead, stride);
  std::vector<int64_t> result(lead.numel());
  for (int64_t t = 0; t < lead.numel(); ++t) {
    int64_t rest = t, matrix = 0;
    for (int dim = lead.dims() - 1; dim >= 0; rest /= lead[dim--]) {
      matrix += rest % lead[dim] * stride[dim];
    }
    result[t] = matrix * x.size(-2) * x.size(-1);
  }
  return result;
}

// `kernel` for each leading index of y; k is the size that is summed over.
static Tensor products(kernels::Product kernel, const Shape& shape, int64_t k, const Tensor& A, const Tensor& B) {
  const Tensor y = Tensor::empty(shape);
  if (y.numel() == 0) return y;  // of however many products
  const std::vector<int64_t> a = offsets(shape, A), b = offsets(shape, B);
  const auto batch = std::ssize(a);
  kernel({shape[-2], shape[-1], k, batch, a.data(), b.data()}, A.data(), B.data(), y.data());
  return y;
}

}
