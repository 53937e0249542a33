#pragma once

#include "core/tensor.hpp"

namespace stepgrad {

// A tensor for the result of an elementwise op: the operand itself if it is a temporary that dies
// with the op and has that shape (the operand is undefined then), or else a new one. So ask the
// operand for its data first.
Tensor output(const Shape& shape, Arg& a);

// y = kernel(a, b), broadcast to `shape`.
Tensor elementwise(kernels::Binary kernel, const Shape& shape, Arg& a, Arg& b);

// y = kernel(x)
Tensor elementwise(kernels::Unary kernel, Arg& x);

}  // namespace stepgrad
