#pragma once

#include "core/kernels/simd/panels.hpp"
#include "core/kernels/simd/result.hpp"

namespace stepgrad::kernels {
namespace {

// The left-hand panels of a product, `rows` rows to a panel. A tile finds element (i, k) of its
// rows at at[i * row_step + k * k_step] for k < stretch, and `jump` floats further for each stretch
// of k.
struct LeftTile {
  const float* at;
  int64_t jump;

  // A stretch of k of so many rows, and then the next one.
  STEPGRAD_INLINE const float* next(int64_t, int64_t) {
    at += jump;
    return at - jump;
  }
};

struct Rows {  // panels of A: one holds all rows, and `panel` steps of k
  static constexpr int row_step = panel, k_step = 1, stretch = panel;
  static constexpr bool asks_ahead = true;  // a tile's rows lie in line in the next panel
  static constexpr bool broadcast = false;  // else an element fills a vector (spread.hpp)
  const float* at;
  int64_t rows;
  STEPGRAD_INLINE int64_t group() const { return rows; }  // rows of the result in one panel
  STEPGRAD_INLINE LeftTile tile(int64_t i) const { return {at + i * panel, rows * panel}; }
  STEPGRAD_INLINE Rows from(int64_t k) const { return {at + k * rows, rows}; }  // k fills panels
  STEPGRAD_INLINE PlacedRows placed() const { return {at, panel, rows * panel}; }
};

struct PlainRows {  // A as it lies, for few columns (dots.hpp, few_columns.hpp)
  Matrix a;
  int64_t rows;
  STEPGRAD_INLINE PlainRows from(int64_t k) const { return {a.from(0, k), rows}; }
  STEPGRAD_INLINE PlacedRows placed() const { return {a.at, a.row, panel}; }
};

struct Columns {  // panels of Aᵀ: one holds all steps of k, and `panel` rows of the result
  static constexpr int row_step = 1, k_step = panel, stretch = panel;
  static constexpr bool asks_ahead = false, broadcast = false;
  const float* at;
  int64_t rows;
  STEPGRAD_INLINE int64_t group() const { return panel; }
  STEPGRAD_INLINE LeftTile tile(int64_t i) const {
    return {at + i / panel * panel * rows + i % panel, panel * panel};
  }
};

// The right-hand columns that a tile meets, one step of k after the other; begin(n) announces the
// next n steps, a stretch of the left-hand panels at most. A panel of 32 columns (64 KiB for
// k_block steps) comes from L2 or beyond, so its lines are asked for some steps ahead; one of 16
// stays in L1 from tile to tile. It may lie anywhere: a hidden layer is where the caller wants it
// kept.
struct PackedRight {
  // Whether its tiles have tile_columns(rows) columns, which may be more than a panel.
  static constexpr bool may_be_wide = false;
  static constexpr int64_t ahead = 16;
  const float* at;

  STEPGRAD_INLINE void begin(int64_t) {}
  STEPGRAD_INLINE V load(int v) const { return V::load_unaligned(at + v * W); }
  template <int vectors>
  STEPGRAD_INLINE void next() {
    for (int v = 0; panel > 16 && v < vectors * W; v += 16) {
      __builtin_prefetch(at + ahead * panel + v);
    }
    at += panel;
  }
};

// The same from a row-major matrix, packed on the way: the first tile of a panel's columns reads
// them like this and the others find them packed, so that packing costs two stores a step. Rows a
// power of two apart share few sets of L1, hence no further ahead.
struct PackingRight {
  static constexpr bool may_be_wide = false;
  static constexpr int64_t ahead = 12;
  const float* at;
  int64_t row;
  float* packed;

  STEPGRAD_INLINE void begin(int64_t) {}
  STEPGRAD_INLINE V load(int v) const {
    const V x = V::load_unaligned(at + v * W);
    x.store_aligned(packed + v * W);
    return x;
  }
  template <int vectors>
  STEPGRAD_INLINE void next() {
    for (int v = 0; v < panel; v += 16) __builtin_prefetch(at + ahead * row + v);
    at += row;
    packed += panel;
  }
};

// The same for rows that are a single tile or two, which pack nothing: `cols` columns of a
// row-major matrix of so many steps. After the last one, the next tile's columns are asked for: the
// rows below may be those of another thread, which would have to ask for them back before it
// writes.
struct PlainRight {
  static constexpr bool may_be_wide = true;
  const float* at;
  int64_t row, cols, steps;
  const float* end = at + steps * row;                                  // of these columns
  const float* later = at + smaller(PackingRight::ahead, steps) * row;  // what is asked for next

  STEPGRAD_INLINE void begin(int64_t) {}
  STEPGRAD_INLINE V load(int v) const { return load_some(at + v * W, cols - v * W); }
  template <int vectors>
  STEPGRAD_INLINE void next() {
    if (later == end) later += vectors * W - steps * row;
    for (int v = 0; v < vectors * W; v += 16) __builtin_prefetch(later + v);
    later += row;
    at += row;
  }
};

// `cols` columns of the transpose of a row-major matrix, turned in L1 as the tile comes to them, so
// many steps at a time as begin() announces.
struct TurnedRight {
  static constexpr bool may_be_wide = true;
  const float* at;
  int64_t row, cols;
  float* strip;  // panel x wide floats, for which there is room where product_block x panel are
  const float* now = nullptr;
  static_assert(wide <= product_block);

  STEPGRAD_INLINE void begin(int64_t steps) {
    transpose_vectors(cols, steps, at, row, strip, wide);
    at += steps;
    now = strip;
  }
  STEPGRAD_INLINE V load(int v) const { return V::load_aligned(now + v * W); }
  template <int vectors>
  STEPGRAD_INLINE void next() {
    now += wide;
  }
};

// Steps of k between two branches, the more the less a step does. By eight, SSE2's large products
// gain 2 to 3 % and its thin layers lose 2; the others gain nothing by eight or 16.
constexpr int steps_at_once = tile_rows * tile_vectors > 8 ? 4 : 8;

// acc[i][v] = Σ_k A[i, k] · B[k, v], each lane one chain of multiply-adds in rising k from zero.
// Meanwhile the rows of the result are asked for, a few with each stretch of k, and a line of the
// next left-hand panel with each step: many at once would hold up the operands. On AVX-512,
// every second row's element is broadcast by the multiply-adds themselves. See matmul.hpp.
template <class Slots, class Left, class Right, class Out, int rows, int vectors>
STEPGRAD_INLINE void multiply_tile(int64_t k, LeftTile a, Right b, const Out& out,
                                   V (&acc)[rows][vectors]) {
  clear(acc);
  // With fewer rows a step would ask for less than half a line.
  constexpr bool asks_ahead = Left::asks_ahead && rows > 8;
  int64_t asked = 0;
  const int64_t ask = ceil_div(rows, ceil_div(k, Left::stretch));
  for (; k > 0; k -= Left::stretch, a.at += a.jump) {
    for (const int64_t end = smaller(rows, asked + ask); asked < end; ++asked) {
      out.template ask_for<vectors>(asked);
    }
    b.begin(smaller(k, Left::stretch));
    const float *left = a.at, *later = a.at + a.jump;
#pragma GCC unroll steps_at_once
    for (int64_t steps = smaller(k, Left::stretch); steps > 0; --steps) {
      V right[vectors];
      STEPGRAD_UNROLL
      for (int v = 0; v < vectors; ++v) right[v] = b.load(v);
      STEPGRAD_UNROLL
      for (int i = 0; i < rows; ++i) {
        const float* at = left + i * Left::row_step;
        const V ai = Left::broadcast ? V::load_aligned(at) : V(*at);
        STEPGRAD_UNROLL
        for (int v = 0; v < vectors; ++v) {
          acc[i][v] = i % 2 && !Left::broadcast ? Slots::mul_add(at, right[v], acc[i][v])
                                                : Slots::mul_add(ai, right[v], acc[i][v]);
        }
      }
      if (asks_ahead) __builtin_prefetch(later);
      later += rows;
      left += Left::k_step;
      b.template next<vectors>();
    }
  }
}

// `out` is a copy: what is stored through it cannot change it.
template <class Slots, class Left, int rows, int vectors, class Right, class Out>
__attribute__((noinline)) void run_tile(int64_t k, LeftTile a, Right b, Out out) {
  V acc[rows][vectors];
  multiply_tile<Slots, Left>(k, a, b, out, acc);
  out.put(acc);
}

// run_tile for the fewest vectors that hold out.cols: one, tile_vectors, or twice as many, up to
// `vectors`.
template <class Slots, class Left, int rows, int vectors, class Right, class Out>
STEPGRAD_INLINE void run_tile_across(int64_t k, LeftTile a, Right b, const Out& out) {
  if constexpr (vectors > tile_vectors) {
    if (out.cols <= vectors / 2 * W) {
      return run_tile_across<Slots, Left, rows, vectors / 2>(k, a, b, out);
    }
  } else if (out.cols <= W) {
    return run_tile<Slots, Left, rows, 1>(k, a, b, out);
  }
  run_tile<Slots, Left, rows, vectors>(k, a, b, out);
}

// The same for as many rows as there are, and out.cols <= tile_columns(rows), or panel.
template <class Slots, class Left, int most = tile_rows, class Right, class Out>
STEPGRAD_INLINE void run_tile_of(int64_t rows, int64_t k, LeftTile a, Right b, const Out& out) {
  if constexpr (most > 1) {
    if (rows < most) return run_tile_of<Slots, Left, most - 1>(rows, k, a, b, out);
  }
  constexpr int columns = Right::may_be_wide ? tile_columns(most) : panel;
  run_tile_across<Slots, Left, most, columns / W>(k, a, b, out);
}

// left·right for the rows [begin, end), which are dealt evenly to the tiles: 13 rows are 7 + 6, as
// a tile of few rows is slow. The tile of row 0 may read the right-hand columns from elsewhere.
template <class Slots, class Left, class First, class Right, class Out>
STEPGRAD_INLINE void run_tiles(int64_t begin, int64_t end, int64_t k, const Left& left,
                               const First& first, const Right& right, const Out& out) {
  const int64_t rows = end - begin, tiles = ceil_div(rows, tile_rows);
  for (int64_t t = 0; t < tiles; ++t) {
    const int64_t i = begin + rows * t / tiles, next = begin + rows * (t + 1) / tiles;
    if (i == 0)
      run_tile_of<Slots, Left>(next, k, left.tile(0), first, out);
    else
      run_tile_of<Slots, Left>(next - i, k, left.tile(i), right, out.below(i));
  }
}

}  // namespace
}  // namespace stepgrad::kernels
