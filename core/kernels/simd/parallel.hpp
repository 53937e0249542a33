#pragma once

#ifdef _OPENMP
#include <omp.h>
#endif

#include "core/kernels/simd/vector.hpp"

namespace stepgrad::kernels {
namespace {

#ifndef _OPENMP  // one thread
STEPGRAD_INLINE int omp_in_parallel() { return 0; }
STEPGRAD_INLINE int omp_get_max_threads() { return 1; }
STEPGRAD_INLINE int omp_get_num_threads() { return 1; }
STEPGRAD_INLINE int omp_get_thread_num() { return 0; }
#endif

// Waking the other threads costs a few microseconds: below about as much work, one thread is
// faster. In elements that a pass reads or writes.
constexpr int64_t worth_sharing = 1 << 15;

// Calls work(begin, end) so that [0, n) is covered once: on one thread if `cost`, the elements
// behind all n items, is small, else in one stretch for each thread. Bounds fall on multiples of
// `grain`. `work` must give the same results however the range is cut.
template <class Work>
STEPGRAD_INLINE void share(int64_t n, int64_t cost, int64_t grain, const Work& work) {
  const int64_t grains = ceil_div(n, grain);
  if (cost < worth_sharing || grains < 2 || omp_in_parallel()) return work(int64_t{0}, n);
  [[maybe_unused]] const int threads = static_cast<int>(smaller(omp_get_max_threads(), grains));
#pragma omp parallel num_threads(threads)
  {
    const int64_t team = omp_get_num_threads(), me = omp_get_thread_num();
    const int64_t begin = grains * me / team * grain;
    const int64_t end = smaller(n, grains * (me + 1) / team * grain);
    work(begin, end);
  }
}

}  // namespace
}  // namespace stepgrad::kernels
