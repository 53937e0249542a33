#pragma once

#include "core/kernels/simd/panels.hpp"

namespace stepgrad::kernels {
namespace {

// How a tile finds element (i, k) of the left-hand matrix within its panels: at
// a[i * row_step + k * k_step] for k < panel, and `jump` floats further for the next panel of k.
struct Rows {  // A as it is: a panel holds `panel` steps of k
  static constexpr int row_step = panel, k_step = 1;
};
struct Columns {  // Aᵀ: a panel holds `panel` rows of the result
  static constexpr int row_step = 1, k_step = panel;
};

struct LeftTile {
  const float* at;
  int64_t jump;
};

// acc[i][v] = Σ_k A[i, k] · B[k, v], each lane one chain of multiply-adds in rising k from zero.
template <class Order, int rows, int vectors>
STEPGRAD_INLINE void multiply_tile(int64_t k, LeftTile a, const float* b, V (&acc)[rows][vectors]) {
  STEPGRAD_UNROLL
  for (int i = 0; i < rows; ++i) {
    STEPGRAD_UNROLL
    for (int v = 0; v < vectors; ++v) acc[i][v] = V(0.f);
  }
  for (; k > 0; k -= panel, a.at += a.jump) {
    const float* left = a.at;
    for (int64_t steps = smaller(k, panel); steps > 0; --steps) {
      V right[vectors];
      STEPGRAD_UNROLL
      for (int v = 0; v < vectors; ++v) right[v] = V::load_aligned(b + v * W);
      STEPGRAD_UNROLL
      for (int i = 0; i < rows; ++i) {
        const V ai(left[i * Order::row_step]);
        STEPGRAD_UNROLL
        for (int v = 0; v < vectors; ++v) acc[i][v] = mul_add(ai, right[v], acc[i][v]);
      }
      left += Order::k_step;
      b += panel;
    }
  }
}

// Where a finished tile goes: y, rows `row` apart, of which `cols` columns exist; added to what is
// there, or instead of it.
struct ToMatrix {
  float* y;
  int64_t row;
  int cols;
  bool add;

  STEPGRAD_INLINE void prepare(int rows) const {
    if (!add) return;
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < panel; j += 16) __builtin_prefetch(y + i * row + j, 1);
    }
  }

  template <int rows, int vectors>
  STEPGRAD_INLINE void put(V (&acc)[rows][vectors]) const {
    if (cols >= vectors * W) {
      STEPGRAD_UNROLL
      for (int i = 0; i < rows; ++i) {
        STEPGRAD_UNROLL
        for (int v = 0; v < vectors; ++v) {
          float* to = y + i * row + v * W;
          store(to, add ? load(to) + acc[i][v] : acc[i][v]);
        }
      }
    } else {
      STEPGRAD_UNROLL
      for (int i = 0; i < rows; ++i) {
        STEPGRAD_UNROLL
        for (int v = 0; v < vectors; ++v) put_first(acc[i][v], y + i * row + v * W, cols - v * W);
      }
    }
  }

  STEPGRAD_INLINE void put_first(const V& value, float* to, int lanes) const {
    if (lanes <= 0) return;
    if (lanes >= W) return store(to, add ? load(to) + value : value);
    store_first(to, add ? load_first(to, lanes) + value : value, lanes);
  }
};

template <class Order, class Out, int rows, int vectors>
__attribute__((noinline)) void run_tile(int64_t k, LeftTile a, const float* b, const Out& out) {
  V acc[rows][vectors];
  out.prepare(rows);
  multiply_tile<Order>(k, a, b, acc);
  out.put(acc);
}

// run_tile for as many rows as there are, and no more vectors than the columns fill.
template <class Order, class Out, int most = tile_rows>
STEPGRAD_INLINE void run_tile_of(int rows, int64_t k, LeftTile a, const float* b, const Out& out) {
  if constexpr (most > 1) {
    if (rows < most) return run_tile_of<Order, Out, most - 1>(rows, k, a, b, out);
  }
  if (out.cols <= W) return run_tile<Order, Out, most, 1>(k, a, b, out);
  run_tile<Order, Out, most, tile_vectors>(k, a, b, out);
}

}  // namespace
}  // namespace stepgrad::kernels
