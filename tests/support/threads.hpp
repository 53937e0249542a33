#pragma once

#include "core/kernels/threads.hpp"

// Calls f with 1, 2, 3, 4 and 8 threads for the kernels.
void for_any_number_of_threads(auto f) {
  const int before = stepgrad::get_num_threads();
  for (int threads : {1, 2, 3, 4, 8}) stepgrad::kernels::set_num_threads(threads), f();
  stepgrad::kernels::set_num_threads(before);
}
