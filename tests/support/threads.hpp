#pragma once

#ifdef _OPENMP
#include <omp.h>
#endif

// Calls f with 1, 2, 3, 4 and 8 threads for the kernels; once if they run on one thread only.
template <class F>
void for_any_number_of_threads(F f) {
#ifdef _OPENMP
  const int before = omp_get_max_threads();
  for (int threads : {1, 2, 3, 4, 8}) omp_set_num_threads(threads), f();
  omp_set_num_threads(before);
#else
  f();
#endif
}
