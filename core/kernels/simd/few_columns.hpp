#pragma once

#include "core/kernels/simd/tile.hpp"

// Tiles of products with no more columns than a vector has lanes, most of which may be empty then;
// A·B where k is long: dots.hpp. Each number is still one chain of multiply-adds in rising k, so it
// has the bits that it has elsewhere.
namespace stepgrad::kernels {
namespace {

// ---- A·B: a vector holds four columns of several rows

constexpr int rows_of_fours = W / 4;  // with one there is nothing to gain
constexpr int most_in_fours = rows_of_fours > 1 ? W : 0;

// Each four lanes of x become lane j of them.
template <int j, class T, size_t... i>
STEPGRAD_INLINE T repeat_lane(const T& x, std::index_sequence<i...>) {
  return __builtin_shufflevector(x, x, (i / 4 * 4 + j)...);
}

// Four floats again and again.
STEPGRAD_INLINE V repeat_four(const float* x) {
#if defined(__AVX512F__)
  return _mm512_broadcast_f32x4(_mm_loadu_ps(x));
#elif defined(__AVX2__)
  return _mm256_broadcast_ps(reinterpret_cast<const __m128*>(x));
#else
  return load(x);
#endif
}

// Rows as they lie. A tile packs them in L1, a panel at a time as it comes to it: it makes all
// columns, so that no other tile needs them.
struct RowsToPack {
  Matrix a;
  float* strip;  // panel floats for each row of a tile

  STEPGRAD_INLINE RowsToPack tile(int64_t i) const { return {a.from(i, 0), strip}; }
  STEPGRAD_INLINE const float* next(int64_t rows, int64_t steps) {
    pack_along<Fp32>(a, rows, steps, strip);
    a = a.from(0, steps);
    return strip;
  }
};

// The sums, row by row.
template <int groups, int fours, class Out>
STEPGRAD_INLINE void put_fours(const V (&acc)[groups][fours], int64_t rows, const Out& out) {
  alignas(64) float sums[groups * rows_of_fours][4 * fours];
  STEPGRAD_UNROLL
  for (int g = 0; g < groups; ++g) {
    STEPGRAD_UNROLL
    for (int v = 0; v < fours; ++v) {
      alignas(64) float some[W];
      acc[g][v].store_aligned(some);
      for (int r = 0; r < rows_of_fours; ++r) {
        memcpy(sums[g * rows_of_fours + r] + 4 * v, some + 4 * r, 4 * sizeof(float));
      }
    }
  }
  put_rows<1>(rows, sums[0], 4 * fours, out);
}

// lane 4r + c of acc[g][v] = Σ_k A[rows_of_fours·g + r, k] · B[k, 4v + c]
//
// Four steps of k of a group of rows are one vector; a step repeats each row's element to its four
// lanes, and meets the same four columns in all of them.
template <class Slots, int groups, int fours, class Tile, class Out>
__attribute__((noinline)) void run_fours(int64_t rows, int64_t k, Tile a, const float* right,
                                         Out out) {
  constexpr std::make_index_sequence<W> lanes;
  V acc[groups][fours];
  clear(acc);
  for (; k > 0; k -= panel) {
    const float* left = a.next(rows, smaller(k, panel));
    for (int64_t steps = smaller(k, panel); steps > 0; steps -= 4, left += 4) {
      typename Lanes<W>::Type x[groups];
      STEPGRAD_UNROLL
      for (int g = 0; g < groups; ++g) {
        const int first = g * rows_of_fours;
        const int64_t exist = g + 1 < groups ? rows_of_fours : rows - first;
        x[g] = load_fours<W>(left + first * panel, panel, exist);
      }
      const auto step = [&]<int j>(std::integral_constant<int, j>) {
        if (j >= steps) return;
        V columns[fours];
        STEPGRAD_UNROLL
        for (int v = 0; v < fours; ++v) columns[v] = repeat_four(right + 4 * v);
        STEPGRAD_UNROLL
        for (int g = 0; g < groups; ++g) {
          const V xj = same_bits<V>(repeat_lane<j>(x[g], lanes));
          STEPGRAD_UNROLL
          for (int v = 0; v < fours; ++v) acc[g][v] = Slots::mul_add(xj, columns[v], acc[g][v]);
        }
        right += panel;
      };
      step(std::integral_constant<int, 0>{}), step(std::integral_constant<int, 1>{});
      step(std::integral_constant<int, 2>{}), step(std::integral_constant<int, 3>{});
    }
  }
  put_fours(acc, rows, out);
}

template <class Slots, int groups, int fours, class Tile, class Out>
STEPGRAD_INLINE void run_fours_of(int64_t rows, int64_t k, const Tile& a, const float* right,
                                  const Out& out) {
  if constexpr (groups > 1) {
    if (rows <= (groups - 1) * rows_of_fours) {
      return run_fours_of<Slots, groups - 1, fours>(rows, k, a, right, out);
    }
  }
  run_fours<Slots, groups, fours>(rows, k, a, right, out);
}

// left·right where out.cols <= 4·fours: groups of rows are dealt evenly to the tiles.
template <class Slots, int fours, class Left, class Out>
STEPGRAD_INLINE void deal_fours(int64_t rows, int64_t k, const Left& left, const float* right,
                                const Out& out) {
  constexpr int most = tile_rows / fours;
  const int64_t groups = ceil_div(rows, rows_of_fours), tiles = ceil_div(groups, most);
  for (int64_t t = 0; t < tiles; ++t) {
    const int64_t i = groups * t / tiles * rows_of_fours;
    const int64_t next = smaller(rows, groups * (t + 1) / tiles * rows_of_fours);
    run_fours_of<Slots, most, fours>(next - i, k, left.tile(i), right, out.below(i));
  }
}

// The same where out.cols <= most_in_fours.
template <class Slots, int fours = W / 4, class Left, class Out>
STEPGRAD_INLINE void multiply_fours(int64_t rows, int64_t k, const Left& left, const float* right,
                                    const Out& out) {
  if constexpr (fours > 1) {
    if (out.cols <= 4 * (fours - 1)) {
      return multiply_fours<Slots, fours - 1>(rows, k, left, right, out);
    }
  }
  deal_fours<Slots, fours>(rows, k, left, right, out);
}

// ---- Aᵀ·B = (Bᵀ·A)ᵀ: the columns of A are the lanes

// For out.cols <= W, and as many rows as such a tile may have columns. `right` is the left-hand
// matrix of Bᵀ·A without being packed again, as panels of both are laid out the same.
template <class Slots, class Left, class Out>
__attribute__((noinline)) void multiply_turned(int64_t rows, int64_t k, const Left& left,
                                               const float* right, const Out& out) {
  if (out.cols == 1 && out.row == 1) {  // which is its transpose
    const ToMatrix to{out.y, rows, static_cast<int>(rows), out.add};
    return run_tiles<Slots>(0, 1, k, Columns{right, k}, left, left, to);
  }
  alignas(64) float sums[W * wide], turned[wide * W];
  const ToMatrix to{sums, wide, static_cast<int>(ceil_div(rows, W) * W)};
  run_tiles<Slots>(0, out.cols, k, Columns{right, k}, left, left, to);
  const auto turn = [&]<int n>(std::integral_constant<int, n>) { put_turned<n>(rows, sums, out); };
  if (out.row == out.cols && try_whole(out.cols, turn)) return;
  transpose_vectors(out.cols, rows, sums, wide, turned, W);
  put_rows<1>(rows, turned, W, out);
}

}  // namespace
}  // namespace stepgrad::kernels
