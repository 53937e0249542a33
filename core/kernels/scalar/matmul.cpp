#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/kernels/scalar/scalar.hpp"

namespace stepgrad::kernels::scalar {
namespace {

int64_t at(const int64_t* offset, int64_t t) { return offset ? offset[t] : 0; }

void zero(int64_t n, Scalar* y) {
  for (int64_t i = 0; i < n; ++i) y[i] = 0;
}

// x, or a zero if it is below the normal floats.
Scalar flushed(Scalar x) {
  return std::abs(x) < std::numeric_limits<float>::min() ? std::copysign(Scalar(0), x) : x;
}

// A matrix [rows, columns], or the transpose of one [columns, rows], rounded.
struct Bf16Matrix {
  std::vector<Scalar> x;
  int64_t row, column;
  Bf16Matrix(const Scalar* from, int64_t rows, int64_t columns, bool transposed)
      : x(from, from + rows * columns),
        row(transposed ? 1 : columns),
        column(transposed ? rows : 1) {
    for (Scalar& v : x) v = flushed(v);
    bfloat16(static_cast<int64_t>(x.size()), x.data(), x.data());
  }
  Scalar operator()(int64_t r, int64_t c) const { return x[r * row + c * column]; }
};

// Σ_p A[i, p]·B[p, j] for `begin` <= p < `end`, as vdpbf16ps adds: two steps at a time, the second
// first, a missing one zero.
Scalar bf16_sum(const Bf16Matrix& A, const Bf16Matrix& B, int64_t i, int64_t j, int64_t begin,
                int64_t end) {
  Scalar sum = 0;
  for (int64_t p = begin; p < end; p += 2) {
    const bool pair = p + 1 < end;
    sum = flushed(std::fma(pair ? A(i, p + 1) : 0, pair ? B(p + 1, j) : 0, sum));
    sum = flushed(std::fma(A(i, p), B(p, j), sum));
  }
  return sum;
}

void bf16_products(const Products& s, bool a_transposed, bool b_transposed, const Scalar* a,
                   const Scalar* b, Scalar* y) {
  const int64_t m = s.m, n = s.n, k = s.k;
  for (int64_t t = 0; t < s.batch; ++t, y += m * n) {
    const Bf16Matrix A(a + at(s.a_offset, t), m, k, a_transposed);
    const Bf16Matrix B(b + at(s.b_offset, t), k, n, b_transposed);
    for (int64_t i = 0; i < m; ++i) {
      for (int64_t j = 0; j < n; ++j) {
        Scalar sum = bf16_sum(A, B, i, j, 0, std::min(k, product_block));
        for (int64_t p = product_block; p < k; p += product_block) {
          sum = flushed(sum + bf16_sum(A, B, i, j, p, std::min(k, p + product_block)));
        }
        y[i * n + j] = sum;
      }
    }
  }
}

}  // namespace

// Y[i, j] = Σ_p A[i, p]·B[p, j]      A: [m, k]   B: [k, n]   Y: [m, n]
void matmul(const Products& s, const Scalar* a, const Scalar* b, Scalar* y) {
  const int64_t m = s.m, n = s.n, k = s.k;
  zero(s.batch * m * n, y);
  for (int64_t t = 0; t < s.batch; ++t, y += m * n) {
    const Scalar* A = a + at(s.a_offset, t);
    const Scalar* B = b + at(s.b_offset, t);
    for (int64_t i = 0; i < m; ++i) {
      for (int64_t p = 0; p < k; ++p) {
        for (int64_t j = 0; j < n; ++j) y[i * n + j] += A[i * k + p] * B[p * n + j];
      }
    }
  }
}

// Y[i, j] = Σ_p A[i, p]·B[j, p]      A: [m, k]   B: [n, k]   Y: [m, n]
void matmul_nt(const Products& s, const Scalar* a, const Scalar* b, Scalar* y) {
  const int64_t m = s.m, n = s.n, k = s.k;
  for (int64_t t = 0; t < s.batch; ++t, y += m * n) {
    const Scalar* A = a + at(s.a_offset, t);
    const Scalar* B = b + at(s.b_offset, t);
    for (int64_t i = 0; i < m; ++i) {
      for (int64_t j = 0; j < n; ++j) {
        Scalar sum = 0;
        for (int64_t p = 0; p < k; ++p) sum += A[i * k + p] * B[j * k + p];
        y[i * n + j] = sum;
      }
    }
  }
}

// Y[i, j] = Σ_p A[p, i]·B[p, j]      A: [k, m]   B: [k, n]   Y: [m, n]
void matmul_tn(const Products& s, const Scalar* a, const Scalar* b, Scalar* y) {
  const int64_t m = s.m, n = s.n, k = s.k;
  zero(s.batch * m * n, y);
  for (int64_t t = 0; t < s.batch; ++t, y += m * n) {
    const Scalar* A = a + at(s.a_offset, t);
    const Scalar* B = b + at(s.b_offset, t);
    for (int64_t p = 0; p < k; ++p) {
      for (int64_t i = 0; i < m; ++i) {
        for (int64_t j = 0; j < n; ++j) y[i * n + j] += A[p * m + i] * B[p * n + j];
      }
    }
  }
}

// The same of bfloat16s.
void bf16_matmul(const Products& s, const Scalar* a, const Scalar* b, Scalar* y) {
  bf16_products(s, false, false, a, b, y);
}
void bf16_matmul_nt(const Products& s, const Scalar* a, const Scalar* b, Scalar* y) {
  bf16_products(s, false, true, a, b, y);
}
void bf16_matmul_tn(const Products& s, const Scalar* a, const Scalar* b, Scalar* y) {
  bf16_products(s, true, false, a, b, y);
}

}  // namespace stepgrad::kernels::scalar
