#pragma once

namespace stepgrad {

// How many threads kernels share their work among at the most, from this thread. At first as many
// as there are cores, or as OMP_NUM_THREADS says. No result depends on it. Always one in a build
// without OpenMP.
int get_num_threads();
void set_num_threads(int threads);  // fewer than one count as one

}  // namespace stepgrad
