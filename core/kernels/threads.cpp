#include "core/kernels/threads.hpp"

#ifdef _OPENMP
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <iostream>
#include <memory>
#include <thread>
#include <vector>
#endif

namespace stepgrad {

#ifdef _OPENMP
static bool forked = false;

// Of what is asked for: nothing is gained by more.
static int most_threads() { return std::min(omp_get_thread_limit(), std::max(64, 2 * omp_get_num_procs())); }

int get_num_threads() { return forked ? 1 : std::min(omp_get_max_threads(), most_threads()); }

namespace kernels {

void set_num_threads(int threads) { omp_set_num_threads(std::clamp(threads, 1, most_threads())); }

void forget_threads() { forked = true; }

namespace {

using Count = std::atomic<uint32_t>;

// Waits while `count` is `old`. Spinning reacts at once, but takes the core from other programs: so
// it spins for a while, then sleeps.
void await_change(const Count& count, uint32_t old) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(20);
  while (count.load(std::memory_order_acquire) == old) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
    if (std::chrono::steady_clock::now() > until) return count.wait(old);
  }
}

// The threads that share the work of one thread, their caller, who is one of them. They are kept
// between kernels, and wait as above: OpenMP's threads would take milliseconds of a core, and end
// the program where the system provides none.
class Crew {
 public:
  explicit Crew(int threads) : wanted(threads) {
    try {
      others_.reserve(size_t(wanted - 1));
      while (size() < uint32_t(wanted)) others_.emplace_back([this, me = size()] { serve(me); });
    } catch (const std::exception& error) {
      std::cerr << "stepgrad: kernels use " << size() << " threads instead of " << wanted << ": " << error.what()
                << '\n';
    }
  }
  ~Crew() {
    hand_out(nullptr, nullptr);
    for (std::thread& other : others_) other.join();
  }

  void run(TeamWork work, const void* context) {
    hand_out(work, context);
    work(context, 0, size());
    while (const uint32_t others = at_work_) await_change(at_work_, others);
  }

  void wait() {
    const uint32_t round = round_;
    if (++arrived_ < size()) return await_change(round_, round);
    arrived_ = 0;
    ++round_;
    round_.notify_all();
  }

  const int wanted;

 private:
  uint32_t size() const { return uint32_t(1 + others_.size()); }
  void serve(uint32_t me);
  void hand_out(TeamWork work, const void* context) {
    work_ = work, context_ = context;
    at_work_ = size() - 1;
    ++handed_out_;
    handed_out_.notify_all();
  }

  TeamWork work_ = nullptr;  // null: they exit
  const void* context_ = nullptr;
  alignas(64) Count handed_out_{0};
  alignas(64) Count at_work_{0};  // the other threads that work
  alignas(64) Count arrived_{0};
  Count round_{0};
  std::vector<std::thread> others_;
};

thread_local Crew* crew_at_work = nullptr;  // the crew this thread belongs to

void Crew::serve(uint32_t me) {
  crew_at_work = this;
  for (uint32_t done = 0;; ++done) {
    await_change(handed_out_, done);
    if (!work_) return;
    work_(context_, me, size());
    if (--at_work_ == 0) at_work_.notify_one();
  }
}

// Not deleted in the child of a fork: its threads stayed with the parent.
struct Leave {
  void operator()(Crew* crew) const {
    if (!forked) delete crew;
  }
};
thread_local std::unique_ptr<Crew, Leave> own_crew;

Crew& crew_of(int threads) {
  if (own_crew && own_crew->wanted == threads) return *own_crew;
  own_crew = nullptr;  // its threads end before new ones are made
  own_crew.reset(new Crew(threads));
  return *own_crew;
}

}

int threads_to_share() { return crew_at_work || omp_in_parallel() ? 1 : get_num_threads(); }

void run_team(int threads, TeamWork work, const void* context) {
  if (threads < 2) return work(context, 0, 1);
  crew_at_work = &crew_of(threads);
  crew_at_work->run(work, context);
  crew_at_work = nullptr;
}

void wait_for_team() {
  if (crew_at_work) crew_at_work->wait();
}

}
#else
int get_num_threads() { return 1; }

namespace kernels {
void set_num_threads(int) {}
void forget_threads() {}
int threads_to_share() { return 1; }
void run_team(int, TeamWork work, const void* context) { work(context, 0, 1); }
void wait_for_team() {}
}
#endif

}
