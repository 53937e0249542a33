#pragma once

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/kernels/huge_pages.hpp"
#include "core/kernels/simd/vector.hpp"
#include "core/kernels/threads.hpp"

// How threads share work, and their working memory.
namespace stepgrad::kernels {
namespace {

// Waking the other threads costs a few microseconds: below about this much work, one thread is
// faster. For a pass over arrays, in elements (half of them for a sum or a fill); for a product, in
// floating-point operations.
constexpr int64_t worth_sharing = 1 << 15;
constexpr double worth_a_team = 5e5;
constexpr double worth_a_waiting_team = 1e6;  // with waits between its steps

// The number of threads for some work: one if it is not worth more, or if a team's thread asks.
STEPGRAD_INLINE int threads_for(bool worth_it) { return worth_it ? threads_to_share() : 1; }

struct Stretch {
  int64_t begin, end;
};

// Threads that work on one thing; this one is `me`. A team of one never waits.
struct Team {
  int64_t me, size;

  STEPGRAD_INLINE void wait() const {
    if (size > 1) wait_for_team();
  }
  // This thread's stretch of [0, n), which may be empty. Bounds are multiples of `grain`.
  STEPGRAD_INLINE Stretch share(int64_t n, int64_t grain = 1) const {
    const int64_t grains = ceil_div(n, grain);
    return {grains * me / size * grain, smaller(n, grains * (me + 1) / size * grain)};
  }
};

// Calls work(team) on each thread of a team; the system may provide fewer threads.
template <class Work>
STEPGRAD_INLINE void run_team(int threads, const Work& work) {
  if (threads < 2) return work(Team{0, 1});
  kernels::run_team(
      threads,
      [](const void* context, int64_t me, int64_t size) {
        (*static_cast<const Work*>(context))(Team{me, size});
      },
      &work);
}

// Calls work(begin, end) for each thread's stretch of [0, n). `work` must give the same results
// however the range is cut.
STEPGRAD_INLINE void share_among(int threads, int64_t n, int64_t grain, const auto& work) {
  if (threads < 2 || n <= grain) return work(int64_t{0}, n);
  run_team(threads, [&](const Team& team) {
    const Stretch mine = team.share(n, grain);
    work(mine.begin, mine.end);
  });
}

// share() for a pass over arrays: on one thread if `cost`, the number of elements in all n items,
// is small.
STEPGRAD_INLINE void share(int64_t n, int64_t cost, int64_t grain, const auto& work) {
  share_among(threads_for(cost >= worth_sharing), n, grain, work);
}

// A thread's own working memory: it grows to the largest size asked for, is reused, and is freed
// when the thread ends. The next call of floats() may overwrite it.
struct Scratch {
  void* block = nullptr;
  float* at = nullptr;  // in the block, at a page's beginning
  int64_t size = 0;

  float* floats(int64_t n) {
    if (n > size) {
      const auto bytes = uint64_t(n) * sizeof(float);
      const uint64_t page = bytes < huge_page ? 4096 : huge_page;
      const uint64_t room = (bytes + page - 1) / page * page;
      free(block);
      // Not every system has aligned_alloc.
      block = room > PTRDIFF_MAX - page ? nullptr : malloc(size_t(room + page));
      if (block == nullptr) {  // a team's thread cannot throw
        fprintf(stderr, "stepgrad: out of memory: a kernel needs %lld MiB to work in\n",
            static_cast<long long>(room >> 20));
        abort();
      }
      char* const begin = static_cast<char*>(block);
      at = reinterpret_cast<float*>(begin + (page - reinterpret_cast<size_t>(begin) % page) % page);
      size = int64_t(room / sizeof(float));
      if (page == huge_page) use_huge_pages(at, room);
    }
    return at;
  }
  ~Scratch() { free(block); }
};

}
}
