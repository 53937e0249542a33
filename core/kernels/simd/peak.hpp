#pragma once

#include "core/kernels/simd/parallel.hpp"

// What a kernel can reach at most: multiply-adds and nothing else, on operands in registers.
namespace stepgrad::kernels {
namespace {

// A multiply-add takes four cycles (without a fused one: eight) and two start in each, so eight
// (sixteen, of which two operands leave room for twelve) chains keep the CPU busy.
#if defined(__AVX512F__) || defined(__aarch64__)
constexpr int chains = 16;
#else
constexpr int chains = 12;
#endif

double peak(int64_t rounds) {
  int64_t threads = 1;
  run_team(threads_for(true), [&](const Team& team) {
    if (team.me == 0) threads = team.size;
    // Every chain tends to 1: numbers that vanished would be slow ones in the end.
    const V x(0.75f), y(0.25f);
    V sum[chains];
    STEPGRAD_UNROLL
    for (int i = 0; i < chains; ++i) sum[i] = V(static_cast<float>(i));
    for (int64_t round = 0; round < rounds; ++round) {
      STEPGRAD_UNROLL
      for (int i = 0; i < chains; ++i) sum[i] = mul_add(sum[i], x, y);
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
