#pragma once

#include "core/kernels/simd/transpose.hpp"
#include "core/kernels/simd/vector.hpp"

// The layout that tiles read: a matrix [rows, cols] as panels of `panel` columns,
//
//   [cols / panel][rows][panel]        the last panel filled up
//
// so that a row of a panel is one or two cache lines, and a panel is contiguous. It serves as the
// right-hand matrix (a row of a panel belongs to one step of k), as the left-hand one (an element
// is broadcast; its neighbours in the row are the next steps of k), and as the transposed left-hand
// one (its neighbours are the tile's next rows).
namespace stepgrad::kernels {
namespace {

// A tile of the result stays in registers while k runs: tile_rows x tile_vectors sums, tile_vectors
// of the right-hand matrix, and one element of the left-hand one.
#if defined(__AVX512F__)
constexpr int tile_rows = 12, tile_vectors = 2;  // of 32 registers
#elif defined(__AVX2__)
constexpr int tile_rows = 6, tile_vectors = 2;  // of 16
#elif defined(__SSE2__)
constexpr int tile_rows = 2, tile_vectors = 4;  // of 16, one for a product
#else
constexpr int tile_rows = 6, tile_vectors = 4;  // of 32
#endif
constexpr int panel = tile_vectors * W;

// The first n of `vectors` vectors, then zeros.
template <int vectors>
STEPGRAD_INLINE void load_row(const float* x, int64_t n, V (&v)[vectors]) {
  STEPGRAD_UNROLL
  for (int i = 0; i < vectors; ++i) v[i] = n >= vectors * W ? load(x + i * W) : load_some(x + i * W, n - i * W);
}

// A panel's row: n numbers side by side, then zeros.
STEPGRAD_INLINE void pack_row(const float* x, int64_t n, float* to) {
  V v[tile_vectors];
  load_row(x, n, v);
  STEPGRAD_UNROLL
  for (int i = 0; i < tile_vectors; ++i) store(to + i * W, v[i]);
}

// A row-major matrix with rows `row` elements apart.
struct Matrix {
  const float* at;
  int64_t row;
  STEPGRAD_INLINE Matrix from(int64_t r, int64_t c) const { return {at + r * row + c, row}; }
};

STEPGRAD_INLINE int64_t panels_size(int64_t rows, int64_t cols) { return ceil_div(cols, panel) * panel * rows; }

// x[rows, cols] as [cols / panel][rows][panel]: a right-hand matrix [k, n], or a left-hand one, as
// [m, k] or transposed. A few rows are packed across all panels, then the next few, so that x's
// pages and lines are read in order.
__attribute__((noinline)) void pack_panels(const Matrix& x, int64_t rows, int64_t cols, float* to) {
  constexpr int64_t run = 8;
  for (int64_t r = 0; r < rows; r += run) {
    for (int64_t c = 0; c < cols; c += panel) {
      float* y = to + c * rows + r * panel;
      const auto pack_rows = [&](int64_t n) STEPGRAD_LAMBDA {
        for (int64_t i = r; i < smaller(rows, r + run); ++i, y += panel) {
          pack_row(x.from(i, c).at, n, y);
        }
      };
      cols - c >= panel ? pack_rows(panel) : pack_rows(cols - c);
    }
  }
}

// pack_panels() of xᵀ[k, cols], where x is [cols, k]: one panel of k at a time, for L1.
__attribute__((noinline)) void pack_transposed(const Matrix& x, int64_t k, int64_t cols, float* to) {
  for (int64_t c = 0; c < cols; c += panel) {
    const int64_t some = smaller(panel, cols - c);
    for (int64_t p = 0; p < k; p += panel) {
      const Matrix from = x.from(c, p);
      transpose(some, smaller(panel, k - p), from.at, from.row, to + c * k + p * panel, panel);
    }
  }
}

}
}
