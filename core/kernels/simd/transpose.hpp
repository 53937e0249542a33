#pragma once

#include <string.h>

#include <utility>

#include "core/kernels/simd/vector.hpp"

// Transposes in registers.
namespace stepgrad::kernels {
namespace {

// n floats in as many registers as needed.
template <int n>
struct Lanes {
  typedef float Type __attribute__((vector_size(n * sizeof(float))));
};

template <class T, size_t... i>
STEPGRAD_INLINE auto join(const T& a, const T& b, std::index_sequence<i...>) {
  return __builtin_shufflevector(a, b, i...);
}

// Four floats of each of n / 4 rows that are `row` apart.
template <int n>
STEPGRAD_INLINE typename Lanes<n>::Type load_fours(const float* x, int64_t row) {
  if constexpr (n == 4) {
    typename Lanes<n>::Type v;
    memcpy(&v, x, sizeof v);
    return v;
#ifdef __AVX512F__
  } else if constexpr (n == 16) {  // masked loads need no shuffle unit
    __m512 v = _mm512_castps128_ps512(_mm_loadu_ps(x));
    v = _mm512_mask_broadcast_f32x4(v, 0x00f0, _mm_loadu_ps(x + row));
    v = _mm512_mask_broadcast_f32x4(v, 0x0f00, _mm_loadu_ps(x + 2 * row));
    return _mm512_mask_broadcast_f32x4(v, 0xf000, _mm_loadu_ps(x + 3 * row));
#endif
  } else {
    return join(load_fours<n / 2>(x, row), load_fours<n / 2>(x + n / 8 * row, row), std::make_index_sequence<n>{});
  }
}

// Per four lanes of a and b: `unit` lanes of a from `first` on, as many of b, and both again.
template <int first, int unit, class T, size_t... i>
STEPGRAD_INLINE T interleave(const T& a, const T& b, std::index_sequence<i...>) {
  return __builtin_shufflevector(
      a, b, (i / unit % 2 * sizeof...(i) + i / 4 * 4 + first + i % 4 / 2 % (3 - unit) + i % unit)...);
}

// y[j][i] = x[i][j] for i < n, j < 4; rows are x_row and y_row apart. A vector starts with rows i,
// i + 4, i + 8, ..; four such vectors are transposed in fours.
template <int n>
STEPGRAD_INLINE void transpose_fours(const float* x, int64_t x_row, float* y, int64_t y_row) {
  constexpr std::make_index_sequence<n> lanes;
  typename Lanes<n>::Type v[4];
  STEPGRAD_UNROLL
  for (int i = 0; i < 4; ++i) v[i] = load_fours<n>(x + i * x_row, 4 * x_row);
  const auto a = interleave<0, 1>(v[0], v[1], lanes), b = interleave<2, 1>(v[0], v[1], lanes),
             c = interleave<0, 1>(v[2], v[3], lanes), d = interleave<2, 1>(v[2], v[3], lanes);
  v[0] = interleave<0, 2>(a, c, lanes), v[1] = interleave<2, 2>(a, c, lanes);
  v[2] = interleave<0, 2>(b, d, lanes), v[3] = interleave<2, 2>(b, d, lanes);
  STEPGRAD_UNROLL
  for (int i = 0; i < 4; ++i) memcpy(y + i * y_row, &v[i], sizeof v[i]);
}

// y[j][i] = x[i][j] for i < rows, j < cols: in blocks of n x n, and smaller ones at the edges.
template <int n = W>
STEPGRAD_INLINE void transpose(int64_t rows, int64_t cols, const float* x, int64_t x_row, float* y, int64_t y_row) {
  const int64_t right = cols / n * n, lower = rows / n * n;
  for (int64_t i = 0; i < lower; i += n) {
    for (int64_t j = 0; j < right; j += n) {
      if constexpr (n == 1) {
        y[j * y_row + i] = x[i * x_row + j];
      } else {
        STEPGRAD_UNROLL
        for (int q = 0; q < n; q += 4) {
          transpose_fours<n>(x + i * x_row + j + q, x_row, y + (j + q) * y_row + i, y_row);
        }
      }
    }
  }
  if constexpr (n > 1) {
    constexpr int less = n > 4 ? 4 : 1;
    transpose<less>(lower, cols - right, x + right, x_row, y + right * y_row, y_row);
    transpose<less>(rows - lower, cols, x + lower * x_row, x_row, y + lower, y_row);
  }
}

}
}
