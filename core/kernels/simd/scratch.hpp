#pragma once

#include <stdlib.h>

#include "core/kernels/simd/vector.hpp"

namespace stepgrad::kernels {
namespace {

// A thread's own working memory: it grows to the largest size asked for, is used again and again,
// and goes with the thread. What it holds is lost at the next call of floats().
struct Scratch {
  float* at = nullptr;
  int64_t size = 0;

  float* floats(int64_t n) {
    if (n > size) {
      constexpr int64_t page = 4096;
      free(at);
      size = ceil_div(n, page) * page;
      at = static_cast<float*>(aligned_alloc(page, static_cast<size_t>(size) * sizeof(float)));
      if (at == nullptr) abort();
    }
    return at;
  }
  ~Scratch() { free(at); }
};

}  // namespace
}  // namespace stepgrad::kernels
