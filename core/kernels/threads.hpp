#pragma once

#include <cstdint>

namespace stepgrad {

// The largest number of threads that this thread's kernels use. At first the number of cores, or
// OMP_NUM_THREADS. No result depends on it. Always one in a build without OpenMP, and in the child
// of a fork, which has no other threads.
int get_num_threads();

namespace kernels {

// From one to 64, or to twice the number of cores; other values are clamped.
void set_num_threads(int threads);

// Call it in the child of a fork, which would otherwise wait for its parent's threads.
void forget_threads();

// get_num_threads(), or one inside shared work.
int threads_to_share();

// Calls work(context, me, size) once for each `me` in [0, size): 0 on this thread, the others on
// threads kept for it. `size` is `threads`, or fewer if the system provides no more. Returns when
// all have finished. `work` must not throw.
using TeamWork = void (*)(const void* context, int64_t me, int64_t size);
void run_team(int threads, TeamWork work, const void* context);

// For the threads of such work: waits for all of them.
void wait_for_team();

}

}
