#pragma once

#include "core/kernels/simd/threads.hpp"

// The CPU's limit: only multiply-adds, on operands in registers.
namespace stepgrad::kernels {
namespace {

// A multiply-add takes four or five cycles, and two start per cycle, so twelve to sixteen chains
// keep the CPU busy. Without fused multiply-adds, six chains of products and six of their sums do:
// multiplication and addition take equally long, and a matrix product waits for its additions only.
#if defined(__AVX512F__) || defined(__aarch64__)
constexpr int chains = 16;
#elif defined(__FMA__)
constexpr int chains = 12;
#else
constexpr int chains = 6;
#endif

STEPGRAD_INLINE void link(const V& one, [[maybe_unused]] V& product, V& sum) {
#if defined(__FMA__) || defined(__aarch64__)
  sum = mul_add(sum, one, one);
#else
  product = product * one;
  sum = sum + product;
#endif
}

double peak(int64_t rounds) {
  int64_t threads = 1;
  run_team(threads_for(true), [&](const Team& team) {
    if (team.me == 0) threads = team.size;
    float unknown = 1;  // to the compiler; numbers near 0 would become slow subnormals
    __asm__ volatile("" : "+m"(unknown));
    const V one(unknown);
    V product[chains], sum[chains];
    STEPGRAD_UNROLL
    for (int i = 0; i < chains; ++i) product[i] = sum[i] = V(float(i + 1));
    for (int64_t round = 0; round < rounds; ++round) {
      STEPGRAD_UNROLL
      for (int i = 0; i < chains; ++i) link(one, product[i], sum[i]);
    }
    // The compiler must not remove the sums.
    STEPGRAD_UNROLL
    for (int i = 0; i < chains; ++i) {
      const float used = sum_lanes(sum[i]);
      __asm__ volatile("" : : "m"(used));
    }
  });
  return 2. * W * chains * double(rounds * threads);
}

}
}
