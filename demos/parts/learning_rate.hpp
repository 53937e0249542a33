#pragma once

#include <algorithm>
#include <cstdint>

namespace stepgrad::demo {

// Rises linearly to its peak over a twentieth of the steps, then falls linearly to 0. Neither the
// first nor the last step has 0.
inline double learning_rate(double peak, int64_t step, int64_t steps) {
  constexpr double warm_up = 0.05;
  const double done = double(step + 1) / double(steps + 1);
  return peak * std::min(done / warm_up, (1 - done) / (1 - warm_up));
}

}
