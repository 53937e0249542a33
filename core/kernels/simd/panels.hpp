#pragma once

#include "core/kernels/simd/copy.hpp"

// The one layout that products read: a matrix [rows, cols] as panels of `panel` columns,
//
//   [cols / panel][rows][panel]        the last panel filled up with zeros,
//
// so that a row of a panel is one or two cache lines, and a panel is one contiguous stretch. It
// serves as the right-hand matrix (a row of a panel is what a tile's columns meet in one step of
// k), as the left-hand one (an element is broadcast, so its neighbours in the row are the next
// steps of k), and as the transposed left-hand one (its neighbours are the next rows of the tile).
namespace stepgrad::kernels {
namespace {

// A tile of the result stays in registers while k runs: tile_rows x tile_vectors accumulators,
// tile_vectors of the right-hand matrix, one element of the left-hand one. See matmul.hpp.
#if defined(__AVX512F__)
constexpr int tile_rows = 12, tile_vectors = 2;  // of 32 registers
#elif defined(__AVX2__)
constexpr int tile_rows = 6, tile_vectors = 2;  // of 16
#elif defined(__SSE2__)
constexpr int tile_rows = 2, tile_vectors = 4;  // of 16, and no fused multiply-add
#else
constexpr int tile_rows = 6, tile_vectors = 4;  // of 32
#endif
constexpr int panel = tile_vectors * W;

STEPGRAD_INLINE int64_t count_panels(int64_t cols) { return ceil_div(cols, panel); }
STEPGRAD_INLINE int64_t panels_size(int64_t rows, int64_t cols) {
  return count_panels(cols) * panel * rows;
}

// A row-major matrix whose rows lie `row` elements apart.
struct Matrix {
  const float* at;
  int64_t row;
  STEPGRAD_INLINE Matrix from(int64_t r, int64_t c) const { return {at + r * row + c, row}; }
};

// Panels of x[rows, cols]. A few rows are copied across all panels before the next few: the
// pages and the lines of x are then read in order.
STEPGRAD_INLINE void pack(const Matrix& x, int64_t rows, int64_t cols, float* to) {
  constexpr int64_t run = 8;
  for (int64_t r = 0; r < rows; r += run) {
    const int64_t end = smaller(rows, r + run);
    for (int64_t c = 0; c < cols; c += panel) {
      float* y = to + c * rows + r * panel;
      const float* from = x.at + r * x.row + c;
      const int width = static_cast<int>(smaller(panel, cols - c));
      if (width == panel) {
        for (int64_t i = r; i < end; ++i, from += x.row, y += panel) {
          STEPGRAD_UNROLL
          for (int v = 0; v < tile_vectors; ++v) store(y + v * W, load(from + v * W));
        }
      } else {
        for (int64_t i = r; i < end; ++i, from += x.row, y += panel) {
          for (int j = 0; j < panel; ++j) y[j] = j < width ? from[j] : 0.f;
        }
      }
    }
  }
}

// Panels of xᵀ[rows, cols], where x is [cols, rows].
STEPGRAD_INLINE void pack_transposed(const Matrix& x, int64_t rows, int64_t cols, float* to) {
  for (int64_t c = 0; c < cols; c += panel) {
    float* y = to + c * rows;
    const int width = static_cast<int>(smaller(panel, cols - c));
    if (width < panel) {
      for (int64_t i = 0; i < rows; ++i) {
        for (int j = width; j < panel; ++j) y[i * panel + j] = 0.f;
      }
    }
    // A strip of 16 steps of k at a time: whole lines of x, a piece of the panel that L1 holds.
    for (int64_t i = 0; i < rows; i += 16) {
      transpose(width, smaller(16, rows - i), x.at + c * x.row + i, x.row, y + i * panel, panel);
    }
  }
}

}  // namespace
}  // namespace stepgrad::kernels
