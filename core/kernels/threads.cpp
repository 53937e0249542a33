#include "core/kernels/threads.hpp"

#ifdef _OPENMP
#include <omp.h>
#endif

namespace stepgrad {

#ifdef _OPENMP
int get_num_threads() { return omp_get_max_threads(); }
void set_num_threads(int threads) { omp_set_num_threads(threads < 1 ? 1 : threads); }
#else
int get_num_threads() { return 1; }
void set_num_threads(int) {}
#endif

}  // namespace stepgrad
