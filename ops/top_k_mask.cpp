#include "ops/top_k_mask.hpp"

#include <cmath>

#include "core/check.hpp"

namespace stepgrad {

// The largest of the row that is not taken yet. A NaN is larger than anything.
static int64_t next_largest(int64_t n, const Scalar* x, const Scalar* taken) {
  int64_t best = -1;
  for (int64_t c = 0; c < n; ++c) {
    if (taken[c] != 0) continue;
    if (best < 0 || x[c] > x[best] || (std::isnan(x[c]) && !std::isnan(x[best]))) best = c;
  }
  return best;
}

Tensor top_k_mask(Arg x, int64_t k) {
  const int64_t n = x.shape().dims() ? x.shape()[-1] : 1;
  check<ValueError>(1 <= k && k <= n, "top_k_mask: k = ", k, " is not in [1, ", n, "]");
  const Tensor y = Tensor::zeros(x.shape());
  for (int64_t r = 0; r < x.shape().rows(); ++r) {
    Scalar* row = y.data() + r * n;
    for (int64_t i = 0; i < k; ++i) row[next_largest(n, x.data() + r * n, row)] = 1;
  }
  return y;
}

}  // namespace stepgrad
