#include "ops/matmul_cases.hpp"

#include "core/check.hpp"
#include "core/tape/modes.hpp"
#include "ops/autocast.hpp"
#include "ops/batched_matmul.hpp"
#include "ops/matmul.hpp"
#include "ops/reshape.hpp"

namespace stepgrad {

void check_inner_sizes(const Shape& a, const Shape& b) {
  const int64_t inner = b[b.dims() == 1 ? 0 : -2];
  check<ShapeError>(a[-1] == inner, "matmul: ", a, " · ", b, ": inner sizes differ, ", a[-1],
                    " != ", inner);
}

Tensor matmul_cases(Arg a, Arg b) {
  check<ShapeError>(a.dim() && b.dim(), "matmul: ", a.shape(), " · ", b.shape(),
                    ": a single number is no matrix");
  check_inner_sizes(a.shape(), b.shape());
  const OpCall call(a.loc);
  if (modes.cast) return autocast(matmul, a, b);
  if (a.dim() == 1) return squeeze(matmul(unsqueeze(a, 0), b), b.dim() == 1 ? 0 : -2);
  if (b.dim() == 1) return squeeze(matmul(a, unsqueeze(b, 1)), -1);
  return batched_matmul(a, b);
}

}  // namespace stepgrad
