#pragma once

#include <vector>

#include "core/kernels/scalar/functions.hpp"

namespace stepgrad::kernels::scalar {
namespace {

int64_t at(const int64_t* offset, int64_t t) { return offset ? offset[t] : 0; }

void zero(int64_t n, Scalar* y) {
  for (int64_t i = 0; i < n; ++i) y[i] = 0;
}

// The same product of bfloat16s: of A and B rounded.
void of_rounded(Product product, const Products& s, const Scalar* a, const Scalar* b, Scalar* y) {
  std::vector<Scalar> A(s.m * s.k), B(s.k * s.n);
  for (int64_t t = 0; t < s.batch; ++t) {
    bfloat16(s.m * s.k, a + at(s.a_offset, t), A.data());
    bfloat16(s.k * s.n, b + at(s.b_offset, t), B.data());
    product({s.m, s.n, s.k}, A.data(), B.data(), y + t * s.m * s.n);
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
// By Bᵀ: compilers make vectors of a loop over j, but not of a sum over p.
void matmul_nt(const Products& s, const Scalar* a, const Scalar* b, Scalar* y) {
  const int64_t m = s.m, n = s.n, k = s.k;
  std::vector<Scalar> transposed(k * n);
  for (int64_t t = 0; t < s.batch; ++t, y += m * n) {
    const Scalar* B = b + at(s.b_offset, t);
    for (int64_t j = 0; j < n; ++j) {
      for (int64_t p = 0; p < k; ++p) transposed[p * n + j] = B[j * k + p];
    }
    matmul({m, n, k}, a + at(s.a_offset, t), transposed.data(), y);
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

void bf16_matmul(const Products& s, const Scalar* a, const Scalar* b, Scalar* y) {
  of_rounded(matmul, s, a, b, y);
}
void bf16_matmul_nt(const Products& s, const Scalar* a, const Scalar* b, Scalar* y) {
  of_rounded(matmul_nt, s, a, b, y);
}
void bf16_matmul_tn(const Products& s, const Scalar* a, const Scalar* b, Scalar* y) {
  of_rounded(matmul_tn, s, a, b, y);
}

constexpr Matmul matmul_kernels{matmul, matmul_nt, matmul_tn};
constexpr Matmul bf16_matmul_kernels{bf16_matmul, bf16_matmul_nt, bf16_matmul_tn};

}  // namespace stepgrad::kernels::scalar
