#include "ops/var.hpp"

#include <algorithm>
#include <cmath>

#include "core/tape/modes.hpp"
#include "core/tensor/reduce.hpp"
#include "ops/div.hpp"
#include "ops/mean.hpp"
#include "ops/mul.hpp"
#include "ops/sub.hpp"
#include "ops/sum.hpp"

namespace stepgrad {

Tensor var(Arg x, Dims dims, bool keepdim, int64_t correction) {
  const OpCall call(x);
  const double n = double(count_over(x.shape(), dim_set("var", x.shape(), dims)));
  const double degrees = std::max(n - double(correction), 0.);
  const Tensor D = sub(x, mean(x, dims, true)), y = sum(D * D, dims, keepdim) / degrees;
  const bool overflows = std::any_of(y.data(), y.data() + y.numel(), [](Scalar v) { return !std::isfinite(v); });
  return overflows && degrees > 0 ? sum(D * (D / degrees), dims, keepdim) : y;
}

}
