#include "ops/trunc.hpp"

#include "core/elementwise.hpp"

namespace stepgrad {

// Y = X without its fraction. A step has no gradient.
Tensor trunc(Arg x) { return elementwise(kernels::table().trunc, x); }

}  // namespace stepgrad
