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
// faster. In elements that a pass reads or writes, and in the floating-point operations of
// products.
constexpr int64_t worth_sharing = 1 << 15;
constexpr double worth_a_team = 5e5;

// The threads for so much work; one if this is a thread of a team already.
template <class Cost>
STEPGRAD_INLINE int64_t threads_for(Cost cost, Cost worth) {
  return cost < worth || omp_in_parallel() ? 1 : omp_get_max_threads();
}

// The threads that work on one thing: this one is `me`. A team of one never waits.
struct Team {
  int64_t me, size;
  STEPGRAD_INLINE void wait() const {
    if (size > 1) {
#pragma omp barrier
    }
  }
  STEPGRAD_INLINE int64_t first(int64_t n) const { return n * me / size; }
  STEPGRAD_INLINE int64_t end(int64_t n) const { return n * (me + 1) / size; }
};

// Calls work(team) on each of so many threads.
template <class Work>
STEPGRAD_INLINE void run_team(int64_t threads, const Work& work) {
  if (threads < 2) return work(Team{0, 1});
#pragma omp parallel num_threads(static_cast <int>(threads))
  work(Team{omp_get_thread_num(), omp_get_num_threads()});
}

// Calls work(begin, end) so that [0, n) is covered once, in one stretch for each thread. Bounds
// fall on multiples of `grain`. `work` must give the same results however the range is cut.
template <class Work>
STEPGRAD_INLINE void share_among(int64_t threads, int64_t n, int64_t grain, const Work& work) {
  const int64_t grains = ceil_div(n, grain);
  run_team(smaller(threads, grains), [&](const Team& team) {
    work(team.first(grains) * grain, smaller(n, team.end(grains) * grain));
  });
}

// The same, `cost` being the elements behind all n items.
template <class Work>
STEPGRAD_INLINE void share(int64_t n, int64_t cost, int64_t grain, const Work& work) {
  share_among(threads_for(cost, worth_sharing), n, grain, work);
}

}  // namespace
}  // namespace stepgrad::kernels
