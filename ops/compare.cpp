#include "ops/compare.hpp"

#include "core/tensor/elementwise.hpp"
#include "ops/add.hpp"
#include "ops/sub.hpp"

namespace stepgrad {

// Y[i] = 1 if A[i] = B[i], else 0; and so on. A step has no gradient.
static Tensor compare(kernels::Binary kernel, const char* op, Arg& a, Arg& b) {
  return elementwise(kernel, broadcast(op, a.shape(), b.shape()), a, b).set_kind(Kind::integer);
}

Tensor eq(Arg a, Arg b) { return compare(kernels::table().eq, "eq", a, b); }
Tensor gt(Arg a, Arg b) { return compare(kernels::table().gt, "gt", a, b); }
Tensor lt(Arg a, Arg b) { return compare(kernels::table().lt, "lt", a, b); }

Tensor ne(Arg a, Arg b) { return 1 - compare(kernels::table().eq, "ne", a, b); }

// Not 1 - gt(a, b), which is 1 for a NaN.
Tensor le(Arg a, Arg b) {
  broadcast("le", a.shape(), b.shape());
  return lt(a, b) + eq(a, b);
}
Tensor ge(Arg a, Arg b) {
  broadcast("ge", a.shape(), b.shape());
  return gt(a, b) + eq(a, b);
}

}  // namespace stepgrad
