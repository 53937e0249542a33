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

// The right-hand columns that a tile meets, one step of k after the other. They come from L2 or
// beyond, so their lines are asked for some steps ahead.
struct PackedRight {
  static constexpr int64_t ahead = 16;
  const float* at;

  STEPGRAD_INLINE V load(int v) const { return V::load_aligned(at + v * W); }
  STEPGRAD_INLINE void next() {
    for (int v = 0; v < panel; v += 16) __builtin_prefetch(at + ahead * panel + v);
    at += panel;
  }
};

// The same from a row-major matrix, packed on the way: the first tile of a panel's columns reads
// them like this and the others find them packed, so that packing costs two stores a step. Rows a
// power of two apart share few sets of L1, hence no further ahead.
struct PackingRight {
  static constexpr int64_t ahead = 12;
  const float* at;
  int64_t row;
  float* packed;

  STEPGRAD_INLINE V load(int v) const {
    const V x = V::load_unaligned(at + v * W);
    x.store_aligned(packed + v * W);
    return x;
  }
  STEPGRAD_INLINE void next() {
    for (int v = 0; v < panel; v += 16) __builtin_prefetch(at + ahead * row + v);
    at += row;
    packed += panel;
  }
};

// acc[i][v] = Σ_k A[i, k] · B[k, v], each lane one chain of multiply-adds in rising k from zero.
// Meanwhile the rows of the result are asked for, a few with each panel of k: all at once they
// would hold up the operands.
template <class Order, class Right, class Out, int rows, int vectors>
STEPGRAD_INLINE void multiply_tile(int64_t k, LeftTile a, Right b, const Out& out,
                                   V (&acc)[rows][vectors]) {
  STEPGRAD_UNROLL
  for (int i = 0; i < rows; ++i) {
    STEPGRAD_UNROLL
    for (int v = 0; v < vectors; ++v) acc[i][v] = V(0.f);
  }
  int64_t asked = 0;
  const int64_t ask = ceil_div(rows, ceil_div(k, panel));
  for (; k > 0; k -= panel, a.at += a.jump) {
    for (const int64_t end = smaller(rows, asked + ask); asked < end; ++asked) out.ask_for(asked);
    const float* left = a.at;
#pragma GCC unroll 4
    for (int64_t steps = smaller(k, panel); steps > 0; --steps) {
      V right[vectors];
      STEPGRAD_UNROLL
      for (int v = 0; v < vectors; ++v) right[v] = b.load(v);
      STEPGRAD_UNROLL
      for (int i = 0; i < rows; ++i) {
        const V ai(left[i * Order::row_step]);
        STEPGRAD_UNROLL
        for (int v = 0; v < vectors; ++v) acc[i][v] = mul_add(ai, right[v], acc[i][v]);
      }
      left += Order::k_step;
      b.next();
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

  STEPGRAD_INLINE void ask_for(int64_t i) const {
    for (int j = 0; j < panel; j += 16) __builtin_prefetch(y + i * row + j, 1);
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

template <class Order, int rows, int vectors, class Right, class Out>
__attribute__((noinline)) void run_tile(int64_t k, LeftTile a, Right b, const Out& out) {
  V acc[rows][vectors];
  multiply_tile<Order>(k, a, b, out, acc);
  out.put(acc);
}

// run_tile for as many rows as there are, and no more vectors than the columns fill.
template <class Order, int most = tile_rows, class Right, class Out>
STEPGRAD_INLINE void run_tile_of(int64_t rows, int64_t k, LeftTile a, Right b, const Out& out) {
  if constexpr (most > 1) {
    if (rows < most) return run_tile_of<Order, most - 1>(rows, k, a, b, out);
  }
  if (out.cols <= W) return run_tile<Order, most, 1>(k, a, b, out);
  run_tile<Order, most, tile_vectors>(k, a, b, out);
}

}  // namespace
}  // namespace stepgrad::kernels
