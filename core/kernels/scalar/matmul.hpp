#pragma once

#include <algorithm>
#include <vector>

#include "core/kernels/scalar/functions.hpp"

namespace stepgrad::kernels::scalar {
namespace {

int64_t at(const int64_t* offset, int64_t t) { return offset ? offset[t] : 0; }

// Y[i, j] = Σ_p A[i, p]·B[p, j], where A[i, p] is at a[i * row + p * step]      Y: [m, n]
// Blocks of product_block steps are added as doubles, so the error does not grow with k.
void multiply(int64_t m, int64_t n, int64_t k, const Scalar* a, int64_t row, int64_t step, const Scalar* b, Scalar* y) {
  std::vector<Scalar> block(n);
  std::vector<double> sums(n);
  for (int64_t i = 0; i < m; ++i) {
    std::fill(sums.begin(), sums.end(), 0);
    for (int64_t begin = 0; begin < k; begin += product_block) {
      std::fill(block.begin(), block.end(), Scalar(0));
      for (int64_t p = begin; p < std::min(k, begin + product_block); ++p) {
        for (int64_t j = 0; j < n; ++j) block[j] += a[i * row + p * step] * b[p * n + j];
      }
      for (int64_t j = 0; j < n; ++j) sums[j] += block[j];
    }
    for (int64_t j = 0; j < n; ++j) y[i * n + j] = Scalar(sums[j]);
  }
}

}

// Y[i, j] = Σ_p A[i, p]·B[p, j]      A: [m, k]   B: [k, n]   Y: [m, n]
void matmul(const Products& s, const Scalar* a, const Scalar* b, Scalar* y) {
  for (int64_t t = 0; t < s.batch; ++t)
    multiply(s.m, s.n, s.k, a + at(s.a_offset, t), s.k, 1, b + at(s.b_offset, t), y + t * s.m * s.n);
}

// Y[i, j] = Σ_p A[i, p]·B[j, p]      A: [m, k]   B: [n, k]   Y: [m, n]
// By Bᵀ: compilers make vectors of a loop over j, but not of a sum over p.
void matmul_nt(const Products& s, const Scalar* a, const Scalar* b, Scalar* y) {
  std::vector<Scalar> transposed(s.k * s.n);
  for (int64_t t = 0; t < s.batch; ++t) {
    const Scalar* B = b + at(s.b_offset, t);
    for (int64_t j = 0; j < s.n; ++j) {
      for (int64_t p = 0; p < s.k; ++p) transposed[p * s.n + j] = B[j * s.k + p];
    }
    multiply(s.m, s.n, s.k, a + at(s.a_offset, t), s.k, 1, transposed.data(), y + t * s.m * s.n);
  }
}

// Y[i, j] = Σ_p A[p, i]·B[p, j]      A: [k, m]   B: [k, n]   Y: [m, n]
void matmul_tn(const Products& s, const Scalar* a, const Scalar* b, Scalar* y) {
  for (int64_t t = 0; t < s.batch; ++t)
    multiply(s.m, s.n, s.k, a + at(s.a_offset, t), 1, s.m, b + at(s.b_offset, t), y + t * s.m * s.n);
}

constexpr Matmul matmul_kernels{matmul, matmul_nt, matmul_tn};

}
