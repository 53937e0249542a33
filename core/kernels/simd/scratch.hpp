#pragma once

#include <stdio.h>
#include <stdlib.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

#include "core/kernels/simd/vector.hpp"

namespace stepgrad::kernels {
namespace {

// A thread's own working memory: it grows to the largest size asked for, is used again and again,
// and goes with the thread. What it holds is lost at the next call of floats(). Huge pages where
// the system has them: packed panels would otherwise use up the entries of the TLB.
struct Scratch {
  float* at = nullptr;
  int64_t size = 0;

  float* floats(int64_t n) {
    if (n > size) {
      constexpr int64_t huge_page = 2 << 20;
      const int64_t bytes = n * static_cast<int64_t>(sizeof(float));
      const int64_t page = bytes < huge_page ? 4096 : huge_page;
      const int64_t room = ceil_div(bytes, page) * page;
      free(at);
      at = static_cast<float*>(aligned_alloc(static_cast<size_t>(page), static_cast<size_t>(room)));
      if (at == nullptr) {  // a thread of a team cannot throw
        fprintf(stderr, "stepgrad: out of memory: a kernel needs %lld MiB to work in\n",
                static_cast<long long>(room >> 20));
        abort();
      }
      size = room / static_cast<int64_t>(sizeof(float));
#ifdef __linux__
      if (page == huge_page) madvise(at, static_cast<size_t>(room), MADV_HUGEPAGE);
#endif
    }
    return at;
  }
  ~Scratch() { free(at); }
};

}  // namespace
}  // namespace stepgrad::kernels
