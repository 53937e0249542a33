#pragma once

#include "core/kernels/philox.hpp"
#include "core/kernels/table.hpp"

namespace stepgrad::kernels::scalar {
namespace {

// Element (r, c): the upper 24 bits of its word as a number in [0, 1), exact in a float.
Scalar uniform_at(const Draw& d, int64_t r, int64_t c) {
  const uint32_t word = philox(d.seed, d.call, d.first_row + r, c / 4).counter[c % 4];
  return Scalar(word >> 8) * Scalar(0x1p-24);
}

}

void uniform(const Draw& d, Scalar* y) {
  for (int64_t r = 0; r < d.rows; ++r) {
    for (int64_t c = 0; c < d.n; ++c) y[r * d.n + c] = uniform_at(d, r, c);
  }
}

void dropout_mask(const Draw& d, Scalar keep, Scalar* y) {
  for (int64_t r = 0; r < d.rows; ++r) {
    for (int64_t c = 0; c < d.n; ++c) y[r * d.n + c] = uniform_at(d, r, c) < keep ? 1 : 0;
  }
}

}
