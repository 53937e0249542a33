#include "core/kernels/threads.hpp"

#ifdef _OPENMP
#include <omp.h>
#include <pthread.h>
#endif

namespace stepgrad {

#ifdef _OPENMP
static bool forked = false;

int get_num_threads() { return forked ? 1 : omp_get_max_threads(); }
void set_num_threads(int threads) { omp_set_num_threads(threads < 1 ? 1 : threads); }

bool prepare_for_forks() {
  return pthread_atfork(nullptr, nullptr, [] { forked = true; }) == 0;
}
#else
int get_num_threads() { return 1; }
void set_num_threads(int) {}
bool prepare_for_forks() { return false; }
#endif

}  // namespace stepgrad
