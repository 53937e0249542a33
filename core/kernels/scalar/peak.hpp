#pragma once

#include "core/kernels/table.hpp"

namespace stepgrad::kernels::scalar {

double peak(int64_t rounds) {
  constexpr int chains = 8;  // multiply-adds that do not wait for each other
  Scalar sum[chains] = {};
  for (int64_t round = 0; round < rounds; ++round) {
    for (Scalar& s : sum) s = s * Scalar(0.75) + Scalar(0.25);
  }
  for (Scalar s : sum) __asm__ volatile("" : : "m"(s));  // the compiler must not remove it
  return 2. * chains * double(rounds);
}

}
