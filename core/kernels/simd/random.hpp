#pragma once

#include "core/kernels/simd/philox.hpp"
#include "core/kernels/simd/threads.hpp"

// Arrays of random numbers. An element's word is one of the block (column / 4, row, call), so it
// depends on its place alone.
namespace stepgrad::kernels {
namespace {

// The upper 24 bits, as a fraction: [0, 1), exact in a float.
STEPGRAD_INLINE V to_uniform(const I& words) {
  using U = xsimd::batch<uint32_t, Arch>;
  const I upper = same_bits<I>(same_bits<U>(words) >> 8);
  return xsimd::to_float(upper) * V(1.f / 16777216.f);
}

// y = f(words), element by element.
STEPGRAD_INLINE void map_words(const Draw& d, float* y, const auto& f) {
  if (d.n == 0) return;
  const PhiloxWords philox{d.seed, d.call};
  const Cover cover(d.n);
  const int64_t across = ceil_div(d.n, cover.width), tasks = ceil_div(d.rows, cover.rows) * across;
  share(tasks, 8 * d.rows * d.n, 1, [&](int64_t task, int64_t end) {
    for (; task < end; ++task) {
      const int64_t row = task / across * cover.rows, c = task % across * cover.width;
      Words words[1];
      philox(cover, d.first_row + row, c, words);
      const V first = f(words[0].first), second = f(words[0].second);
      const int64_t cols = smaller(cover.width, d.n - c);
      float* to = y + row * d.n + c;
      if (cols == 2 * W) {
        store(to, first);
        store(to + W, second);
        continue;
      }
      alignas(64) float drawn[2 * W];
      first.store_aligned(drawn);
      second.store_aligned(drawn + W);
      for (int64_t r = 0; r < smaller(cover.rows, d.rows - row); ++r) {
        for (int64_t i = 0; i < cols; ++i) to[r * d.n + i] = drawn[r * cover.width + i];
      }
    }
  });
}

void uniform(const Draw& d, float* y) {
  map_words(d, y, [](I words) { return to_uniform(words); });
}

void dropout_mask(const Draw& d, float keep, float* y) {
  const Below below(keep);
  map_words(d, y, [&](I words) { return select(below(words), V(1.f), V(0.f)); });
}

}
}
