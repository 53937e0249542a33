#pragma once

#include "core/kernels/simd/right_matrix.hpp"

// Products of bfloat16s on AMX, whose registers are tiles: 16 rows of 64 bytes, which are 16 floats
// or 16 slots, each a pair of bfloat16s that follow each other along k. For one instruction,
// tdpbf16ps sum, left, right, the tile `left` is 16 rows by 32 of k, `right` 32 of k by 16 columns:
//
//   even[i, j] = Σ_s left[i, 2s] · right[2s, j]          in rising s, by fused multiply-adds from
//   odd[i, j] = Σ_s left[i, 2s + 1] · right[2s + 1, j]   zero; numbers below the normal ones are
//   sum[i, j] += even[i, j] + odd[i, j]                  zeros before and after each of them
//
// (Intel, Architecture Instruction Set Extensions Programming Reference). vdpbf16ps adds to the sum
// one product after the other instead, so these products are not, bit by bit, those of the other
// tables. But they too depend on nothing that stands around an element.
//
// Of eight registers four hold sums, two by two tiles: each tile that is loaded meets two others.
//
// A fused step of x [64, 256, 512], d_ff 2048 on two cores of a Sapphire Rapids Xeon, best times of
// one run: floats 972 ms, bfloat16s by multiply-adds 893 ms, on tiles 162 ms.
namespace stepgrad::kernels {
namespace {

// What each register is, of 16 rows of 64 bytes.
struct AmxRegisters {
  uint8_t palette = 1, unused[15] = {};
  uint16_t bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};

// For as long as a thread makes products. Telling the CPU takes hundreds of cycles, so registers
// are never made smaller for the rows of a last tile, which get zeros for company instead.
struct AmxSetup {
  alignas(64) static constexpr AmxRegisters registers{};
  STEPGRAD_INLINE AmxSetup() { _tile_loadconfig(&registers); }
  STEPGRAD_INLINE ~AmxSetup() { _tile_release(); }
  AmxSetup(const AmxSetup&) = delete;
};

// How tiles lie in left-hand panels: the distances from a row to the next one, from a tile to that
// of the rows below, and to that of the next slots.
template <class Order>
struct AmxLeft;

template <>
struct AmxLeft<Rows> {
  static constexpr int64_t row = panel, below = 16 * panel, next = 16;
};
template <>
struct AmxLeft<Columns> {  // as AmxBf16::Turned has turned them
  static constexpr int64_t row = 16, below = 16 * 16, next = 2 * below;
};

struct AmxTiles {
  static constexpr int64_t tile = 16;
  static_assert(panel == 2 * tile && W == tile);
  static_assert(k_block % (2 * panel) == 0, "blocks of k fill panels, of pairs");

  template <class Left, class Out>
  STEPGRAD_INLINE static void multiply(int64_t rows, int64_t k, const Left& left,
                                       const float* right, const Out& out) {
    for (int64_t i = 0; i < rows; i += 2 * tile) {
      const int64_t height = smaller(2 * tile, rows - i);
      if (height > tile)
        run<Left, true>(height, k, left.tile(i), right, out.below(i));
      else
        run<Left, false>(height, k, left.tile(i), right, out.below(i));
    }
  }

  // `rows` rows of the result, and all columns of the panel `right`.
  template <class Left, bool two, class Out>
  __attribute__((noinline)) static void run(int64_t rows, int64_t k, LeftTile left,
                                            const float* right, Out out) {
    using At = AmxLeft<Left>;
    alignas(64) float spare[tile * At::row], sums[2 * tile * panel];
    const int64_t last = two ? rows - tile : rows;  // rows of the last tile
    if (last < tile) memset(spare, 0, sizeof spare);
    _tile_zero(0);
    _tile_zero(1);
    if constexpr (two) {
      _tile_zero(2);
      _tile_zero(3);
    }
    barrier();
    for (int64_t s = 0; s < k; s += tile, right += tile * panel) {
      for (int64_t i = s; i < smaller(rows, s + tile); ++i) {  // not all at once
        out.template ask_for<tile_vectors>(i);
      }
      const float* upper = left.at + s / panel * left.jump + s % panel / tile * At::next;
      const float* lower = two ? upper + At::below : upper;
      if (last < tile) lower = whole<At::row>(lower, last, spare);
      _tile_loadd(6, right, panel * sizeof(float));
      _tile_loadd(7, right + tile, panel * sizeof(float));
      if constexpr (two) {
        _tile_loadd(5, upper, At::row * sizeof(float));
        _tile_dpbf16ps(2, 5, 6);
        _tile_dpbf16ps(3, 5, 7);
      }
      _tile_loadd(4, lower, At::row * sizeof(float));
      _tile_dpbf16ps(0, 4, 6);
      _tile_dpbf16ps(1, 4, 7);
    }
    float* to = sums;
    if constexpr (two) {
      _tile_stored(2, to, panel * sizeof(float));
      _tile_stored(3, to + tile, panel * sizeof(float));
      to += tile * panel;
    }
    _tile_stored(0, to, panel * sizeof(float));
    _tile_stored(1, to + tile, panel * sizeof(float));
    put(rows, sums, out);
  }

  // The `rows` rows of a tile that exist, where zeros follow.
  template <int64_t row>
  STEPGRAD_INLINE static const float* whole(const float* x, int64_t rows, float* spare) {
    barrier();
    for (int64_t i = 0; i < rows; ++i) store(spare + i * row, load(x + i * row));
    barrier();
    return spare;
  }

  // Stores stay on their side of it: g++ 12 does not know what _tile_loadd reads.
  STEPGRAD_INLINE static void barrier() { __asm__ volatile("" : : : "memory"); }

  template <class Out>
  STEPGRAD_INLINE static void put(int64_t rows, const float* sums, const Out& out) {
    constexpr int some = 4;
    int64_t i = 0;
    for (; i + some <= rows; i += some) put_rows<some>(sums + i * panel, out.below(i));
    for (; i < rows; ++i) put_rows<1>(sums + i * panel, out.below(i));
  }

  template <int rows, class Out>
  STEPGRAD_INLINE static void put_rows(const float* sums, const Out& out) {
    V acc[rows][tile_vectors];
    STEPGRAD_UNROLL
    for (int i = 0; i < rows; ++i) {
      STEPGRAD_UNROLL
      for (int v = 0; v < tile_vectors; ++v) acc[i][v] = load(sums + i * panel + v * W);
    }
    out.put(acc);
  }
};

struct AmxBf16 : Bf16Groups<32> {
  using Tiles = AmxTiles;
  using Setup = AmxSetup;

  // What becomes a transposed left-hand matrix: of each group, two tiles of 16 columns one after
  // the other, each with its slots along the rows.
  struct Turned : Bf16Groups<32> {
    static void down(const float* x, int64_t row, int64_t rows, int64_t n, float* to) {
      constexpr int64_t tile = AmxTiles::tile;
      alignas(64) float pairs[tile * panel];
      Bf16Groups<32>::down(x, row, rows, n, pairs);
      for (int64_t i = 0; i < n; i += tile) {
        transpose_block<W>(pairs + i, panel, to + i * tile, tile);
      }
    }
  };
};

}  // namespace
}  // namespace stepgrad::kernels
