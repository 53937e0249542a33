#pragma once

#include "core/kernels/simd/parallel.hpp"

// What a kernel can reach at most: multiply-adds and nothing else, on operands in registers.
namespace stepgrad::kernels {
namespace {

// A multiply-add, or where there is none the addition, takes up to five cycles and two start in
// each, so ten to sixteen chains keep the CPU busy.
#if defined(__AVX512F__) || defined(__aarch64__)
constexpr int chains = 16;
#else
constexpr int chains = 12;
#endif

// One link of a chain. Numbers that vanished would be slow ones in the end, so it tends to 1, or
// grows: where a multiply-add is two instructions, only the additions wait for each other, as in a
// product of matrices, and the compiler must not find out that what they add is always the same.
STEPGRAD_INLINE V link(const V& sum, const V& x, const V& y) {
#if defined(__SSE2__) && !defined(__FMA__)
  __m128 factor = x;
  __asm__("" : "+x"(factor));
  return mul_add(V(factor), y, sum);
#else
  return mul_add(sum, x, y);
#endif
}

double peak(int64_t rounds) {
  int64_t threads = 1;
  run_team(threads_for(true), [&](const Team& team) {
    if (team.me == 0) threads = team.size;
    const V x(0.75f), y(0.25f);
    V sum[chains];
    STEPGRAD_UNROLL
    for (int i = 0; i < chains; ++i) sum[i] = V(static_cast<float>(i));
    for (int64_t round = 0; round < rounds; ++round) {
      STEPGRAD_UNROLL
      for (int i = 0; i < chains; ++i) sum[i] = link(sum[i], x, y);
    }
    // The compiler must believe that somebody reads the sums.
    STEPGRAD_UNROLL
    for (int i = 0; i < chains; ++i) {
      const float used = sum_lanes(sum[i]);
      __asm__ volatile("" : : "m"(used));
    }
  });
  return 2. * W * chains * static_cast<double>(rounds * threads);
}

}  // namespace
}  // namespace stepgrad::kernels
