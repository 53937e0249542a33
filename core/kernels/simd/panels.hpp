#pragma once

#include "core/kernels/simd/copy.hpp"
#include "core/kernels/simd/element.hpp"

// The one layout that tiles read, but for those of few rows or columns: a matrix [rows, cols] as
// panels of `panel` columns,
//
//   [cols / panel][rows][panel]        the last panel filled up, its content there unused,
//
// so that a row of a panel is one or two cache lines, and a panel is contiguous. It serves as the
// right-hand matrix (a row of a panel is what a tile's columns meet in one step of k), as the
// left-hand one (an element is broadcast, so its neighbours in the row are the next steps of k),
// and as the transposed left-hand one (its neighbours are the next rows of the tile), but for AMX,
// which wants that turned.
namespace stepgrad::kernels {
namespace {

// A tile of the result stays in registers while k runs: tile_rows x tile_vectors accumulators,
// tile_vectors of the right-hand matrix, one element of the left-hand one. See matmul.hpp. A tile
// of few rows may have eight or four vectors; of three rows of four, AVX2 took 1.14 of the time, as
// no register was left for the right-hand matrix.
#if defined(__AVX512F__)
constexpr int tile_rows = 12, tile_vectors = 2;  // of 32 registers
constexpr int most_rows_of_8_vectors = 2, most_rows_of_4_vectors = 6;
#elif defined(__AVX2__)
constexpr int tile_rows = 6, tile_vectors = 2;  // of 16
constexpr int most_rows_of_8_vectors = 1, most_rows_of_4_vectors = 2;
#elif defined(__SSE2__)
constexpr int tile_rows = 2, tile_vectors = 4;  // of 16, one of which a product needs
constexpr int most_rows_of_8_vectors = 1, most_rows_of_4_vectors = tile_rows;
#else
constexpr int tile_rows = 6, tile_vectors = 4;  // of 32
constexpr int most_rows_of_8_vectors = 2, most_rows_of_4_vectors = tile_rows;
#endif
constexpr int panel = tile_vectors * W;
constexpr int wide = 8 * W;  // the columns of the widest tile

// The most columns of a tile of so many rows that reads the right-hand matrix as it lies, which
// need not be a panel.
STEPGRAD_INLINE constexpr int tile_columns(int64_t rows) {
  if (rows <= most_rows_of_8_vectors) return wide;
  return rows <= most_rows_of_4_vectors ? 4 * W : panel;
}

STEPGRAD_INLINE int64_t count_panels(int64_t cols) { return ceil_div(cols, panel); }
STEPGRAD_INLINE int64_t panels_size(int64_t rows, int64_t cols) {
  return count_panels(cols) * panel * rows;
}
// Of the panels that pack_down and pack_along make.
template <class E>
STEPGRAD_INLINE int64_t down_size(int64_t k, int64_t cols) {
  return panels_size(E::slots(k), cols);
}
template <class E>
STEPGRAD_INLINE int64_t along_size(int64_t rows, int64_t k) {
  return panels_size(rows, E::slots(k));
}

// A row-major matrix whose rows lie `row` elements apart.
struct Matrix {
  const float* at;
  int64_t row;
  STEPGRAD_INLINE Matrix from(int64_t r, int64_t c) const { return {at + r * row + c, row}; }
};

// The sums of a tile before its first step.
template <int rows, int cols>
STEPGRAD_INLINE void clear(V (&sums)[rows][cols]) {
  STEPGRAD_UNROLL
  for (int i = 0; i < rows; ++i) {
    STEPGRAD_UNROLL
    for (int j = 0; j < cols; ++j) sums[i][j] = V(0.f);
  }
}

// Rows of panels, or of a row-major matrix, whose panels lie side by side.
struct PlacedRows {
  const float* at;
  int64_t row, jump;  // from row to row, from panel to panel
  int64_t step = 1;   // from column to column
  STEPGRAD_INLINE PlacedRows from(int64_t panel_begin) const {
    return {at + panel_begin / panel * jump, row, jump, step};
  }
  STEPGRAD_INLINE PlacedRows below(int64_t i) const { return {at + i * row, row, jump, step}; }
};

// The vectors of a panel's rows that tiles of floats read where `cols` columns exist: one, or all.
// The others need not be written.
STEPGRAD_INLINE int vectors_read(int64_t cols) { return cols <= W ? 1 : tile_vectors; }

// `rows` rows, `cols` columns of x copied to rows that lie `row` apart, whose first `vectors`
// vectors are filled up with zeros.
STEPGRAD_INLINE void copy_narrow(const Matrix& x, int64_t rows, int64_t cols, int vectors,
                                 float* to, int64_t row) {
  for (int v = 0; v < vectors; ++v, cols -= W, to += W) {
    for (int64_t r = 0; r < rows; ++r) {
      store(to + r * row, load_some(x.at + r * x.row + v * W, cols));
    }
  }
}

// Panels of x[k, cols], slots down the columns: [cols / panel][slots(k)][panel]. A few rows are
// packed across all panels before the next few: the pages and the lines of x are then read in
// order.
template <class E>
STEPGRAD_INLINE void pack_down(const Matrix& x, int64_t k, int64_t cols, float* to) {
  constexpr int64_t run = E::group > 8 ? E::group : 8;
  for (int64_t p = 0; p < k; p += run) {
    const int64_t end = smaller(k, p + run);
    for (int64_t c = 0; c < cols; c += panel) {
      float* y = to + c * E::slots(k) + E::slots(p) * panel;
      if (E::group == 1 && cols - c < panel) {
        copy_narrow(x.from(p, c), end - p, cols - c, vectors_read(cols - c), y, panel);
        continue;
      }
      for (int64_t i = p; i < end; i += E::group, y += E::slots(E::group) * panel) {
        const int64_t rows = smaller(E::group, k - i);
        if (cols - c >= panel) {
          E::down(x.from(i, c).at, x.row, rows, panel, y);
        } else {
          alignas(64) float narrow[E::group * panel];
          copy_narrow(x.from(i, c), rows, cols - c, tile_vectors, narrow, panel);
          E::down(narrow, panel, rows, panel, y);
        }
      }
    }
  }
}

// pack_down of a matrix that is to be a transposed left-hand one.
template <class E>
STEPGRAD_INLINE void pack_columns(const Matrix& x, int64_t k, int64_t cols, float* to) {
  if constexpr (requires { typename E::Turned; })
    pack_down<typename E::Turned>(x, k, cols, to);
  else
    pack_down<E>(x, k, cols, to);
}

// Panels of x[rows, k], slots along the rows: [slots(k) / panel][rows][panel].
template <class E>
STEPGRAD_INLINE void pack_along(const Matrix& x, int64_t rows, int64_t k, float* to) {
  constexpr int64_t run = 8, width = panel * E::fold;  // of k, in a panel
  for (int64_t r = 0; r < rows; r += run) {
    const int64_t end = smaller(rows, r + run);
    for (int64_t c = 0; c < k; c += width) {
      float* y = to + c / E::fold * rows + r * panel;
      if (E::group == 1 && k - c < panel) {
        copy_narrow(x.from(r, c), end - r, k - c, vectors_read(k - c), y, panel);
        continue;
      }
      for (int64_t i = r; i < end; ++i, y += panel) {
        if (k - c >= width) {
          E::along(x.from(i, c).at, panel, y);
        } else {
          alignas(64) float narrow[width];
          copy_narrow(x.from(i, c), 1, k - c, width / W, narrow, width);
          E::along(narrow, panel, y);
        }
      }
    }
  }
}

// n <= panel rows of x, of whose k numbers `strip` slots are taken from each, one row after
// another.
template <class E, int64_t strip>
STEPGRAD_INLINE void pack_strip(const Matrix& x, int64_t n, int64_t k, float* to) {
  constexpr int64_t width = strip * E::fold;
  for (int64_t r = 0; r < n; ++r) {
    if (k >= width) {
      E::along(x.from(r, 0).at, strip, to + r * strip);
    } else {
      alignas(64) float narrow[width];
      copy_narrow(x.from(r, 0), 1, k, width / W, narrow, width);
      E::along(narrow, strip, to + r * strip);
    }
  }
}

// y[j][i] = x[i][j] for i < rows, j < cols, in whole vectors or in fours: what stands in lanes of
// rows that do not exist has no meaning.
__attribute__((noinline)) void transpose_vectors(int64_t rows, int64_t cols, const float* x,
                                                 int64_t x_row, float* y, int64_t y_row) {
  const auto blocks = [&]<int n>(std::integral_constant<int, n>, int64_t i, int64_t some)
      __attribute__((always_inline)) {
    const float* from = x + i * x_row;
    int64_t j = 0;
    for (; j + n <= cols; j += n) {
      transpose_block<n>(from + j, x_row, y + j * y_row + i, y_row, some);
    }
    for (; j + 4 <= cols; j += 4) {
      transpose_fours<n>(from + j, x_row, y + j * y_row + i, y_row, some);
    }
    transpose<1>(some, cols - j, from + j, x_row, y + j * y_row + i, y_row);
  };
  int64_t i = 0;
  for (; rows - i >= W; i += W) blocks(std::integral_constant<int, W>{}, i, W);
  for (; rows - i > 4; i += W) blocks(std::integral_constant<int, W>{}, i, rows - i);
  if (i < rows) blocks(std::integral_constant<int, 4>{}, i, rows - i);
}

// pack_down of xᵀ[k, cols], where x is [cols, k]. What stands in columns that do not exist has no
// meaning.
template <class E>
STEPGRAD_INLINE void pack_transposed(const Matrix& x, int64_t k, int64_t cols, float* to) {
  constexpr int64_t strip = 16;  // slots at a time: whole lines of x, a piece of the panel for L1
  const int64_t steps = E::slots(k);
  for (int64_t c = 0; c < cols; c += panel) {
    float* y = to + c * steps;
    const int64_t width = smaller(panel, cols - c);
    for (int64_t i = 0; i < steps; i += strip) {
      const int64_t p = i * E::fold, some = smaller(strip, steps - i);
      Matrix from = x.from(c, p);
      alignas(64) float rounded[panel * strip];
      if constexpr (E::group > 1) {
        pack_strip<E, strip>(from, width, k - p, rounded);
        from = {rounded, strip};
      }
      transpose_vectors(width, some, from.at, from.row, y + i * panel, panel);
    }
  }
}

}  // namespace
}  // namespace stepgrad::kernels
