#pragma once

#include <string.h>

#include <utility>

#include "core/kernels/simd/vector.hpp"

// Transposes within registers.
namespace stepgrad::kernels {
namespace {

// n floats in one register, or in as many as the instruction set needs.
template <int n>
struct Lanes {
  typedef float Type __attribute__((vector_size(n * sizeof(float))));
};

template <class T, size_t... i>
STEPGRAD_INLINE auto join(const T& a, const T& b, std::index_sequence<i...>) {
  return __builtin_shufflevector(a, b, i...);
}

// Four floats of each of n / 4 rows, which lie `row` apart; where fewer exist, of the last again.
template <int n>
STEPGRAD_INLINE typename Lanes<n>::Type load_fours(const float* x, int64_t row, int64_t rows) {
  const auto four = [&](int64_t r) { return x + smaller(r, rows - 1) * row; };
  if constexpr (n == 4) {
    typename Lanes<n>::Type v;
    memcpy(&v, x, sizeof v);
    return v;
#ifdef __AVX512F__
  } else if constexpr (n == 16) {  // loads with a mask are no shuffles
    __m512 v = _mm512_castps128_ps512(_mm_loadu_ps(x));
    v = _mm512_mask_broadcast_f32x4(v, 0x00f0, _mm_loadu_ps(four(1)));
    v = _mm512_mask_broadcast_f32x4(v, 0x0f00, _mm_loadu_ps(four(2)));
    return _mm512_mask_broadcast_f32x4(v, 0xf000, _mm_loadu_ps(four(3)));
#endif
  } else {
    return join(load_fours<n / 2>(x, row, rows),
                load_fours<n / 2>(four(n / 8), row, larger(1, rows - n / 8)),
                std::make_index_sequence<n>{});
  }
}

// Of each four lanes of a and b: `unit` of a from lane `first` on, as many of b, and the same
// again.
template <int first, int unit, class T, size_t... i>
STEPGRAD_INLINE T interleave(const T& a, const T& b, std::index_sequence<i...>) {
  return __builtin_shufflevector(
      a, b,
      (i / unit % 2 * sizeof...(i) + i / 4 * 4 + first + i % 4 / 2 % (3 - unit) + i % unit)...);
}

// y[j][i] = x[i][j] for i < rows <= n, j < 4; the rows of x and y lie x_row and y_row apart. What
// becomes of rows that do not exist has no meaning. A vector starts with those of rows i, i + 4,
// i + 8, .., and four such vectors are transposed in fours.
template <int n>
STEPGRAD_INLINE void transpose_fours(const float* x, int64_t x_row, float* y, int64_t y_row,
                                     int64_t rows = n) {
  constexpr std::make_index_sequence<n> lanes;
  typename Lanes<n>::Type v[4];
  STEPGRAD_UNROLL
  for (int i = 0; i < 4; ++i) {
    const int64_t r = smaller(i, rows - 1);
    v[i] = load_fours<n>(x + r * x_row, 4 * x_row, ceil_div(rows - r, 4));
  }
  const auto a = interleave<0, 1>(v[0], v[1], lanes), b = interleave<2, 1>(v[0], v[1], lanes),
             c = interleave<0, 1>(v[2], v[3], lanes), d = interleave<2, 1>(v[2], v[3], lanes);
  v[0] = interleave<0, 2>(a, c, lanes), v[1] = interleave<2, 2>(a, c, lanes);
  v[2] = interleave<0, 2>(b, d, lanes), v[3] = interleave<2, 2>(b, d, lanes);
  STEPGRAD_UNROLL
  for (int i = 0; i < 4; ++i) memcpy(y + i * y_row, &v[i], sizeof v[i]);
}

// The same for j < n.
template <int n>
STEPGRAD_INLINE void transpose_block(const float* x, int64_t x_row, float* y, int64_t y_row,
                                     int64_t rows = n) {
  STEPGRAD_UNROLL
  for (int j = 0; j < n; j += 4) transpose_fours<n>(x + j, x_row, y + j * y_row, y_row, rows);
}

// y[j][i] = x[i][j] for i < rows, j < cols: blocks of n x n, and smaller ones at the right and the
// lower edge.
template <int n = W>
STEPGRAD_INLINE void transpose(int64_t rows, int64_t cols, const float* x, int64_t x_row, float* y,
                               int64_t y_row) {
  const int64_t right = cols / n * n, lower = rows / n * n;
  for (int64_t i = 0; i < lower; i += n) {
    for (int64_t j = 0; j < right; j += n) {
      if constexpr (n == 1)
        y[j * y_row + i] = x[i * x_row + j];
      else
        transpose_block<n>(x + i * x_row + j, x_row, y + j * y_row + i, y_row);
    }
  }
  if constexpr (n > 1) {
    constexpr int less = n > 4 ? 4 : 1;
    transpose<less>(lower, cols - right, x + right, x_row, y + right * y_row, y_row);
    transpose<less>(rows - lower, cols, x + lower * x_row, x_row, y + lower, y_row);
  }
}

// Vector `to` of the transpose of x, a matrix [rows, cols]. Lanes that come from vectors after
// `last` have no meaning.
template <int rows, int cols, int to, int last, class T, size_t... lane>
STEPGRAD_INLINE T transposed_vector(const T* x, std::index_sequence<lane...> lanes) {
  constexpr int n = sizeof...(lane);
  constexpr auto from = [](size_t i) {
    const int place = to * n + static_cast<int>(i);
    return place % rows * cols + place / rows;
  };
  if constexpr (last == 1) {
    return __builtin_shufflevector(x[0], x[1], (from(lane) < 2 * n ? from(lane) : -1)...);
  } else {
    constexpr auto choose = [from](size_t i) {
      if (from(i) / n > last) return -1;
      return from(i) / n == last ? n + from(i) % n : static_cast<int>(i);
    };
    const T y = transposed_vector<rows, cols, to, last - 1>(x, lanes);
    return __builtin_shufflevector(y, x[last], choose(lane)...);
  }
}

// y = xᵀ for a matrix [rows, cols] of a few vectors, without a gap between its rows.
template <int rows, int cols, class T, int width>
STEPGRAD_INLINE void transpose_whole(const T (&x)[width], T (&y)[width]) {
  constexpr std::make_index_sequence<rows * cols / width> lanes;
  [&]<int... to>(std::integer_sequence<int, to...>) {
    ((y[to] = transposed_vector<rows, cols, to, width - 1>(x, lanes)), ...);
  }
  (std::make_integer_sequence<int, width>{});
}

// How many columns transpose_whole turns faster than transpose_fours does: n columns take n - 1
// shuffles for each vector, of which a narrower instruction set makes several instructions.
constexpr int most_turned_whole = W == 16 ? 7 : W == 8 ? 5 : 2;

// Calls turn with `cols` as a constant if transpose_whole is to be used; returns whether it did.
template <int most = most_turned_whole, class Turn>
STEPGRAD_INLINE bool try_whole(int64_t cols, const Turn& turn) {
  if constexpr (most < 2) {
    return false;
  } else {
    if (cols < most) return try_whole<most - 1>(cols, turn);
    if (cols == most) turn(std::integral_constant<int, most>{});
    return cols == most;
  }
}

}  // namespace
}  // namespace stepgrad::kernels
