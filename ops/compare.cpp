#include "ops/compare.hpp"

#include "core/elementwise.hpp"

namespace stepgrad {

// Y[i] = 1 if A[i] = B[i], else 0; and so on. A step has no gradient.
static Tensor compare(kernels::Binary kernel, const char* op, Arg& a, Arg& b) {
  return elementwise(kernel, broadcast(op, a.shape(), b.shape()), a, b);
}

Tensor eq(Arg a, Arg b) { return compare(kernels::table().eq, "eq", a, b); }
Tensor gt(Arg a, Arg b) { return compare(kernels::table().gt, "gt", a, b); }
Tensor lt(Arg a, Arg b) { return compare(kernels::table().lt, "lt", a, b); }

Tensor Tensor::eq(Arg other) const { return stepgrad::eq({*this, other.loc}, other); }
Tensor Tensor::gt(Arg other) const { return stepgrad::gt({*this, other.loc}, other); }
Tensor Tensor::lt(Arg other) const { return stepgrad::lt({*this, other.loc}, other); }

}  // namespace stepgrad
