#include "ops/linspace.hpp"

#include "core/check.hpp"

namespace stepgrad {

// Computed from the nearer end, so that the last number is `end` itself.
Tensor linspace(double begin, double end, int64_t n, Loc loc) {
  check_at<ValueError>(loc, n >= 0, "linspace: ", n, " numbers");
  const Tensor y = Tensor::empty({n}, loc);
  const double step = n > 1 ? (end - begin) / double(n - 1) : 0;
  for (int64_t i = 0; i < n; ++i) {
    const auto from_begin = double(i), from_end = double(n - 1 - i);
    y.data()[i] = Scalar(2 * i < n ? begin + step * from_begin : end - step * from_end);
  }
  return y;
}

}
