#include "ops/eye.hpp"

#include <algorithm>

namespace stepgrad {

Tensor eye(int64_t n, Loc loc) { return eye(n, n, loc); }

Tensor eye(int64_t n, int64_t m, Loc loc) {
  check_sizes("eye", {n, m}, loc);
  const Tensor y = Tensor::zeros({n, m});
  for (int64_t i = 0; i < std::min(n, m); ++i) y.data()[i * m + i] = 1;
  return y;
}

}
