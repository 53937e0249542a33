#pragma once

#include <cstdint>

namespace stepgrad {

// How many threads kernels share their work among at the most, from this thread. At first as many
// as there are cores, or as OMP_NUM_THREADS says. No result depends on it. Always one in a build
// without OpenMP, and in the child of a fork: its parent's other threads are not there.
int get_num_threads();
// From one to 64, or to twice as many as there are cores; others count as the nearest of these.
void set_num_threads(int threads);

namespace kernels {

// In the child of a fork, which would wait for its parent's threads for ever.
void forget_threads();

// get_num_threads(), but one where threads share some work already.
int threads_to_share();

// Calls work(context, me, size) once for each `me` from 0 to size - 1: 0 on this thread, the others
// on threads that are kept for it. `size` is `threads`, or fewer if the system gives no more.
// Returns when all are through. `work` must not throw.
using TeamWork = void (*)(const void* context, int64_t me, int64_t size);
void run_team(int threads, TeamWork work, const void* context);

// For the threads of such work: waits until all of them are here.
void wait_for_team();

}  // namespace kernels

}  // namespace stepgrad
