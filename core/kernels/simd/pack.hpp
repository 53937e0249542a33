#pragma once

#include "core/kernels/simd/format.hpp"
#include "core/kernels/simd/transpose.hpp"

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

// A row-major matrix with rows `row` elements apart.
struct Matrix {
  const float* at;
  int64_t row;
  STEPGRAD_INLINE Matrix from(int64_t r, int64_t c) const { return {at + r * row + c, row}; }
};

STEPGRAD_INLINE int64_t panels_size(int64_t rows, int64_t cols) {
  return ceil_div(cols, panel) * panel * rows;
}

// x[k, cols] as [cols / panel][slots(k)][panel]: a right-hand matrix, or a transposed left-hand
// one. A few rows are packed across all panels, then the next few, so that x's pages and lines are
// read in order.
template <class E>
__attribute__((noinline)) void pack_down(const Matrix& x, int64_t k, int64_t cols, float* to) {
  constexpr int64_t run = 8;
  for (int64_t p = 0; p < k; p += run) {
    for (int64_t c = 0; c < cols; c += panel) {
      float* y = to + c * slots<E>(k) + p / E::per_slot * panel;
      const auto pack = [&](int64_t n) STEPGRAD_LAMBDA {
        for (int64_t i = p; i < smaller(k, p + run); i += E::per_slot, y += panel) {
          E::down(x.from(i, c).at, x.row, k - i, n, y);
        }
      };
      cols - c >= panel ? pack(panel) : pack(cols - c);
    }
  }
}

// x[rows, k] as [slots(k) / panel][rows][panel]: a left-hand matrix.
template <class E>
__attribute__((noinline)) void pack_along(const Matrix& x, int64_t rows, int64_t k, float* to) {
  constexpr int64_t run = 8, width = panel * E::per_slot;
  for (int64_t r = 0; r < rows; r += run) {
    for (int64_t c = 0; c < k; c += width) {
      float* y = to + c / E::per_slot * rows + r * panel;
      const auto pack = [&](int64_t n) STEPGRAD_LAMBDA {
        for (int64_t i = r; i < smaller(rows, r + run); ++i, y += panel) {
          E::along(x.from(i, c).at, n, y);
        }
      };
      k - c >= width ? pack(width) : pack(k - c);
    }
  }
}

// pack_down of xᵀ[k, cols], where x is [cols, k]: one panel of k at a time, for L1.
template <class E>
__attribute__((noinline)) void pack_transposed(const Matrix& x, int64_t k, int64_t cols,
                                               float* to) {
  constexpr int64_t width = panel * E::per_slot;
  for (int64_t c = 0; c < cols; c += panel) {
    const int64_t some = smaller(panel, cols - c);
    for (int64_t p = 0; p < k; p += width) {
      float* y = to + c * slots<E>(k) + p / E::per_slot * panel;
      Matrix from = x.from(c, p);
      alignas(64) float rounded[panel * panel];
      if constexpr (!std::is_same_v<E, Fp32>) {
        pack_along<E>(from, some, smaller(width, k - p), rounded);
        from = {rounded, panel};
      }
      transpose(some, smaller(panel, slots<E>(k - p)), from.at, from.row, y, panel);
    }
  }
}

}  // namespace
}  // namespace stepgrad::kernels
