#pragma once

namespace stepgrad {

// How many threads kernels share their work among at the most, from this thread. At first as many
// as there are cores, or as OMP_NUM_THREADS says. No result depends on it. Always one in a build
// without OpenMP, and in the child of a fork: its parent's other threads are not there.
int get_num_threads();
void set_num_threads(int threads);  // fewer than one count as one

// For kernels, before the first of them: sees to what is said of the child of a fork, which would
// wait for those threads for ever. False without OpenMP.
bool prepare_for_forks();

}  // namespace stepgrad
