#include "ops/var.hpp"

#include <algorithm>

#include "core/tape/modes.hpp"
#include "core/tensor/reduce.hpp"
#include "ops/div.hpp"
#include "ops/mean.hpp"
#include "ops/mul.hpp"
#include "ops/sub.hpp"
#include "ops/sum.hpp"

namespace stepgrad {

Tensor var(Arg x, Dims dims, bool keepdim, int64_t correction) {
  const OpCall call(x.loc);
  const double n = static_cast<double>(count_over(x.shape(), dim_set("var", x.shape(), dims)));
  const Tensor D = sub(x, mean(x, dims, true));
  return sum(D * D, dims, keepdim) / std::max(n - static_cast<double>(correction), 0.);
}

}  // namespace stepgrad
