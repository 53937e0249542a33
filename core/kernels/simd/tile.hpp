#pragma once

#include "core/kernels/simd/pack.hpp"

// The register tile: up to tile_rows x panel sums of a product stay in registers while k runs, and
// are then stored.
namespace stepgrad::kernels {
namespace {

constexpr int64_t row_block = 128;  // at most so many rows in a block of the result

// Packed left-hand matrices. Element (i, p) of a tile's rows is at[i * row_step + p * k_step] for p
// < panel, and `jump` floats further for each further `panel` steps.
struct LeftTile {
  const float* at;
  int64_t jump;
};

struct Rows {  // of pack_panels(): a panel holds all `rows` rows, and `panel` steps of k
  static constexpr int row_step = panel, k_step = 1;
  const float* at;
  int64_t rows;
  STEPGRAD_INLINE int64_t group() const { return rows; }  // the result's rows in one panel
  STEPGRAD_INLINE LeftTile tile(int64_t i) const { return {at + i * panel, rows * panel}; }
};

struct Columns {  // of pack_panels(), transposed: a panel holds all `k` steps, and `panel` rows of
                  // the result
  static constexpr int row_step = 1, k_step = panel;
  const float* at;
  int64_t k;
  STEPGRAD_INLINE int64_t group() const { return panel; }
  STEPGRAD_INLINE LeftTile tile(int64_t i) const { return {at + i / panel * panel * k + i % panel, panel * panel}; }
};

// A panel of the right-hand matrix, one step of k after another. A panel of 32 columns comes from
// L2 or beyond and is prefetched some steps ahead; one of 16 stays in L1.
struct Packed {
  static constexpr int64_t ahead = 16;
  const float* at;

  STEPGRAD_INLINE V load(int v) const { return kernels::load(at + v * W); }
  STEPGRAD_INLINE void next() {
    for (int v = 0; panel > 16 && v < panel; v += 16) {
      __builtin_prefetch(at + ahead * panel + v);
    }
    at += panel;
  }
};

// The same panel from the unpacked matrix, packed on the way: the first tile of a panel's columns
// reads it like this, and the others find it packed, so packing costs two stores per step. Rows a
// power of two apart share few sets of L1, so it is prefetched less far ahead.
struct Packing {
  static constexpr int64_t ahead = 12;
  const float* at;
  int64_t row;
  float* packed;
  int64_t step;

  STEPGRAD_INLINE V load(int v) const {
    const V x = kernels::load(at + v * W);
    store(packed + v * W, x);
    return x;
  }
  STEPGRAD_INLINE void next() {
    for (int v = 0; v < panel; v += 16) __builtin_prefetch(at + ahead * row + v);
    at += row;
    packed += step;
  }
};

// The output of a finished tile: y, rows `row` apart, of which `cols` columns exist. Sums are
// stored, or added to y; then the bias, unless null, is added to each row. `streams`: whole panels
// that are stored bypass the caches.
struct Result {
  float* y;
  int64_t row;
  int64_t cols = panel;
  bool add = false, streams = false;
  const float* bias = nullptr;

  STEPGRAD_INLINE Result below(int64_t i) const { return {y + i * row, row, cols, add, streams, bias}; }

  STEPGRAD_INLINE void ask_for(int64_t i) const {
    if (streams) return;
    for (int j = 0; j < panel; j += 16) __builtin_prefetch(y + i * row + j, 1);
  }

  template <int rows, int vectors>
  STEPGRAD_INLINE void put(const V (&sums)[rows][vectors]) const {
    if (streams) {
      STEPGRAD_UNROLL
      for (int i = 0; i < rows; ++i) {
        STEPGRAD_UNROLL
        for (int v = 0; v < vectors; ++v) stream(y + i * row + v * W, sums[i][v]);
      }
      return;
    }
    V b[vectors];
    STEPGRAD_UNROLL
    for (int v = 0; v < vectors; ++v) b[v] = bias ? load(bias + v * W) : V(0.f);
    STEPGRAD_UNROLL
    for (int i = 0; i < rows; ++i) {
      STEPGRAD_UNROLL
      for (int v = 0; v < vectors; ++v) {
        float* to = y + i * row + v * W;
        store(to, (add ? load(to) + sums[i][v] : sums[i][v]) + b[v]);
      }
    }
  }

  // Stores rows of a panel that has only `cols` columns.
  __attribute__((noinline)) void put_part(int64_t rows, const float* sums) const {
    for (int64_t i = 0; i < rows; ++i, sums += panel) {
      for (int64_t c = 0; c < cols; c += W) {
        float* to = y + i * row + c;
        const int64_t n = cols - c;
        const V sum = add ? load_some(to, n) + load(sums + c) : load(sums + c);
        store_some(to, bias ? sum + load_some(bias + c, n) : sum, n);
      }
    }
  }
};

// sum + a·b; the a in memory is broadcast to all lanes.
STEPGRAD_INLINE V mul_add(const float* a, const V& b, const V& sum) {
#ifdef __AVX512F__  // one instruction, which compilers take apart if a is used twice
  __m512 y = sum;
  __asm__("vfmadd231ps %1%{1to16%}, %2, %0" : "+v"(y) : "m"(*a), "v"(static_cast<__m512>(b)));
  return y;
#else
  return mul_add(V(*a), b, sum);
#endif
}

// sums[i][v] = Σ_p A[i, p] · B[p, v], each lane one chain of multiply-adds in rising p from zero.
// Prefetches a few rows of the result with each panel of k, and a line of the next left-hand panel
// with each step: many at once would delay the operands. `out` is a copy, so stores cannot change
// it.
template <class Left, int rows, int vectors>
__attribute__((noinline)) void run_tile(int64_t k, LeftTile left, auto right, Result out) {
  V sums[rows][vectors];
  STEPGRAD_UNROLL
  for (int i = 0; i < rows; ++i) {
    STEPGRAD_UNROLL
    for (int v = 0; v < vectors; ++v) sums[i][v] = V(0.f);
  }
  const int64_t ask = ceil_div(rows, ceil_div(k, panel));
  for (int64_t asked = 0; k > 0; k -= panel, left.at += left.jump) {
    for (const int64_t end = smaller(rows, asked + ask); asked < end; ++asked) out.ask_for(asked);
    const float *a = left.at, *later = left.at + left.jump;
#pragma GCC unroll 4
    for (int64_t steps = smaller(k, panel); steps > 0; --steps) {
      V b[vectors];
      STEPGRAD_UNROLL
      for (int v = 0; v < vectors; ++v) b[v] = right.load(v);
      STEPGRAD_UNROLL
      for (int i = 0; i < rows; ++i) {
        const float* at = a + i * Left::row_step;
        const V ai(*at);
        STEPGRAD_UNROLL
        for (int v = 0; v < vectors; ++v) {  // two ways to broadcast use different ports
          sums[i][v] = i % 2 ? mul_add(at, b[v], sums[i][v]) : mul_add(ai, b[v], sums[i][v]);
        }
      }
      if (Left::k_step == 1 && rows > 8) __builtin_prefetch(later);
      later += rows;
      a += Left::k_step;
      right.next();
    }
  }
  out.put(sums);
}

// A tile of `rows` rows; one vector wide if that holds all columns.
template <class Left, int most = tile_rows>
STEPGRAD_INLINE void run_tile_of(int64_t rows, int64_t k, LeftTile left, auto right, const Result& out) {
  if constexpr (most > 1) {
    if (rows < most) return run_tile_of<Left, most - 1>(rows, k, left, right, out);
  }
  if (out.cols > W) return run_tile<Left, most, tile_vectors>(k, left, right, out);
  run_tile<Left, most, 1>(k, left, right, out);
}

// out = left·right for `rows` rows and one panel's columns, all of k. Tiles get equally many
// rows, 13 are 7 + 6, since a tile of few rows is slow. The first tile may read the right-hand
// columns unpacked, and pack them for the others.
template <class Left>
__attribute__((noinline)) void multiply_panel(
    int64_t rows, int64_t k, const Left& left, auto first, Packed right, const Result& out) {
  if (out.cols < panel && out.cols != W) {  // tiles store whole vectors
    alignas(64) float whole[row_block * panel];
    multiply_panel(rows, k, left, first, right, Result{whole, panel, out.cols > W ? panel : W});
    return out.put_part(rows, whole);
  }
  for (int64_t begin = 0; begin < rows; begin += left.group()) {
    const int64_t some = smaller(rows - begin, left.group()), tiles = ceil_div(some, tile_rows);
    for (int64_t t = 0; t < tiles; ++t) {
      const int64_t i = begin + some * t / tiles, end = begin + some * (t + 1) / tiles;
      if (i == 0)
        run_tile_of<Left>(end, k, left.tile(0), first, out);
      else
        run_tile_of<Left>(end - i, k, left.tile(i), right, out.below(i));
    }
  }
}

}
}
