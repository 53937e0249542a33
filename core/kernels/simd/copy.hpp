#pragma once

#include <string.h>

#include <utility>

#include "core/kernels/simd/elementwise.hpp"

// Copies that change the order: expand, permute, repeat, slice.
namespace stepgrad::kernels {
namespace {

// n floats in one register, or in as many as the instruction set needs.
template <int n>
struct Lanes {
  typedef float Type __attribute__((vector_size(n * sizeof(float))));
};

// Lanes first, first + 1, .. of a and of b in turn.
template <int first, class T, size_t... i>
STEPGRAD_INLINE T interleave(const T& a, const T& b, std::index_sequence<i...>) {
  return __builtin_shufflevector(a, b, (i % 2 * sizeof...(i) + first + i / 2)...);
}

// y[j][i] = x[i][j] for i, j < n; the rows of x and y lie x_row and y_row apart. Each of log₂ n
// rounds moves the highest bit of an element's row to the low end of its column, and that of its
// column to the low end of its row; in the end they have changed places.
template <int n>
STEPGRAD_INLINE void transpose_block(const float* x, int64_t x_row, float* y, int64_t y_row) {
  constexpr std::make_index_sequence<n> lanes;
  typename Lanes<n>::Type v[n], next[n];
  STEPGRAD_UNROLL
  for (int i = 0; i < n; ++i) memcpy(&v[i], x + i * x_row, sizeof v[i]);
  STEPGRAD_UNROLL
  for (int round = 1; round < n; round *= 2) {
    STEPGRAD_UNROLL
    for (int i = 0; i < n / 2; ++i) {
      next[2 * i] = interleave<0>(v[i], v[i + n / 2], lanes);
      next[2 * i + 1] = interleave<n / 2>(v[i], v[i + n / 2], lanes);
    }
    STEPGRAD_UNROLL
    for (int i = 0; i < n; ++i) v[i] = next[i];
  }
  STEPGRAD_UNROLL
  for (int i = 0; i < n; ++i) memcpy(y + i * y_row, &v[i], sizeof v[i]);
}

// y[j][i] = x[i][j] for i < rows, j < cols: blocks of n x n, and smaller ones at the right and the
// lower edge.
template <int n = W>
STEPGRAD_INLINE void transpose(int64_t rows, int64_t cols, const float* x, int64_t x_row, float* y,
                               int64_t y_row) {
  const int64_t right = cols / n * n, lower = rows / n * n;
  for (int64_t i = 0; i < lower; i += n) {
    for (int64_t j = 0; j < right; j += n) {
      transpose_block<n>(x + i * x_row + j, x_row, y + j * y_row + i, y_row);
    }
  }
  if constexpr (n > 1) {
    constexpr int less = n > 4 ? 4 : 1;
    transpose<less>(lower, cols - right, x + right, x_row, y + right * y_row, y_row);
    transpose<less>(rows - lower, cols, x + lower * x_row, x_row, y + lower, y_row);
  }
}

STEPGRAD_INLINE void copy_run(int64_t n, const float* x, int64_t step, float* y) {
  if (step == 1) {
    memcpy(y, x, static_cast<size_t>(n) * sizeof(float));
  } else if (step == 0) {
    for (int64_t i = 0; i < n; ++i) y[i] = *x;
  } else {
    for (int64_t i = 0; i < n; ++i) y[i] = x[i * step];
  }
}

// The dimension along which x is dense, or the last one if there is none.
STEPGRAD_INLINE int dense_dim(const Strides& s) {
  for (int d = s.dims - 1; d >= 0; --d) {
    if (s.a[d] == 1 && s.size[d] > 1) return d;
  }
  return s.dims - 1;
}

// Reads along the dense dimension and writes along the last one, in tiles of 16 x 16: every cache
// line that is touched, on either side, is used whole.
void copy_transposed(const Strides& s, int dense, const float* x, float* y) {
  constexpr int64_t tile = 16;
  const int last = s.dims - 1;
  Strides walk{};  // over all dimensions but these two; the cursor's b is the place in y
  walk.dims = s.dims - 1;
  int64_t dense_in_y = 1, in_y = 1, total = 1;
  for (int d = last, to = walk.dims - 2; d >= 0; --d) {
    if (d == dense) dense_in_y = in_y;
    if (d != dense && d != last) {
      walk.size[to] = s.size[d];
      walk.a[to] = s.a[d];
      walk.b[to--] = in_y;
    }
    in_y *= s.size[d];
    total *= s.size[d];
  }
  const int64_t rows = s.size[last], cols = s.size[dense];
  const int64_t strips = ceil_div(rows, tile);
  share(count_rows(walk) * strips, total, 1, [&](int64_t task, int64_t end) {
    for (; task < end; ++task) {
      const RowCursor at(walk, task / strips);
      const int64_t i = task % strips * tile, height = smaller(tile, rows - i);
      for (int64_t j = 0; j < cols; j += tile) {
        transpose(height, smaller(tile, cols - j), x + at.a + i * s.a[last] + j, s.a[last],
                  y + at.b + j * dense_in_y + i, dense_in_y);
      }
    }
  });
}

void copy(const Strides& s, const float* x, float* y) {
  const int last = s.dims - 1;
  const int64_t n = last < 0 ? 1 : s.size[last], step = last < 0 ? 1 : s.a[last];
  const int64_t rows = count_rows(s);
  if (rows * n == 0) return;
  const int dense = dense_dim(s);
  if (dense < last && step != 0) return copy_transposed(s, dense, x, y);
  if (rows == 1) {
    share(n, n, 1, [&](int64_t i, int64_t end) { copy_run(end - i, x + i * step, step, y + i); });
    return;
  }
  share(rows, rows * n, 1, [&](int64_t row, int64_t end) {
    for (RowCursor at(s, row); row < end; ++row, at.next()) {
      copy_run(n, x + at.a, step, y + row * n);
    }
  });
}

}  // namespace
}  // namespace stepgrad::kernels
