#pragma once

#include <type_traits>

#include "core/kernels/simd/scratch.hpp"
#include "core/kernels/simd/tile.hpp"

namespace stepgrad::kernels {
namespace {

// SSE2 has no load that broadcasts, and the shuffles of a tile take the place of multiply-adds
// (matmul.hpp). Where many columns meet a block of rows, it is broadcast once and not panel by
// panel.
constexpr bool spreads = std::is_same_v<Arch, arch::sse2>;
static_assert(!spreads || panel % tile_rows == 0, "the rows of a tile lie in one panel");
constexpr int64_t least_spread_columns = 4 * panel;

// Left-hand panels whose every element fills a vector: [rows / tile_rows][k][tile_rows][W].
struct Spread {
  static constexpr int row_step = W, k_step = tile_rows * W, stretch = product_block;
  static constexpr bool asks_ahead = false, broadcast = true;
  const float* at;
  int64_t k;
  STEPGRAD_INLINE int64_t group() const { return tile_rows; }
  STEPGRAD_INLINE LeftTile tile(int64_t i) const { return {at + i * k * W, stretch * k_step}; }
  STEPGRAD_INLINE Spread from(int64_t p) const { return {at + p * k_step, k}; }
};

// `rows` rows and k slots of `left`, until the thread's next call; what fills up the last group has
// no meaning.
template <class Left>
__attribute__((noinline)) Spread spread(Left left, int64_t rows, int64_t k) {
  static thread_local Scratch scratch;
  float* to = scratch.floats(ceil_div(rows, tile_rows) * tile_rows * k * W);
  for (int64_t i = 0; i < rows; i += tile_rows) {
    LeftTile tile = left.tile(i);
    float* y = to + i * k * W;
    const int64_t some = smaller(tile_rows, rows - i);
    for (int64_t p = 0; p < k; p += panel, tile.at += tile.jump) {
      const int64_t steps = smaller(panel, k - p);
      for (int64_t s = 0; s < steps; ++s, y += Spread::k_step) {
        for (int64_t r = 0; r < some; ++r) {
          V(tile.at[r * Left::row_step + s * Left::k_step]).store_aligned(y + r * W);
        }
      }
    }
  }
  return {to, k};
}

// work(left), or with `left` spread where a product of so many columns gains by it.
template <class Left, class Work>
STEPGRAD_INLINE void with_spread(const Left& left, int64_t rows, int64_t k, int64_t cols,
                                 const Work& work) {
  if constexpr (spreads && requires { Left::k_step; }) {
    if (rows > tile_rows && cols >= least_spread_columns) return work(spread(left, rows, k));
  }
  work(left);
}

}  // namespace
}  // namespace stepgrad::kernels
