#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// A tensor for the result of an elementwise op: the operand itself if it is a temporary that dies
// with the op and has that shape (the operand is undefined then), or else a new one. So ask the
// operand for its data first. It is whole if the operand is.
Tensor output(const Shape& shape, Arg& a);

// y = kernel(a, b), broadcast to `shape`; whole if both are.
Tensor elementwise(kernels::Binary kernel, const Shape& shape, Arg& a, Arg& b);

// x = kernel(x, b), where b broadcasts to x's shape; whole only if b is, too.
void elementwise_(kernels::Binary kernel, const Tensor& x, const Arg& b);

// y = kernel(x)
Tensor elementwise(kernels::Unary kernel, Arg& x, bool whole = false);

}  // namespace stepgrad
