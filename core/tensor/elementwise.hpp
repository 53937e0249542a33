#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// The tensor that an elementwise op writes its result into: `a` itself if it is a temporary of this
// shape that nobody else holds, else a new one. `a` may be undefined afterwards: read a.data()
// first.
Tensor output(const Shape& shape, Arg& a);

// The same for a gradient of dY's shape.
Tensor output(Tensor& dY);

// y = kernel(a, b), broadcast to `shape`
Tensor elementwise(kernels::Binary kernel, const Shape& shape, Arg& a, Arg& b);

// x = kernel(x, b), where b broadcasts to x's shape
void elementwise_(kernels::Binary kernel, const Tensor& x, const Arg& b);

// dx = kernel(dy, x), written over dy if nobody else holds it
Tensor elementwise(kernels::UnaryGrad kernel, Tensor dy, const Tensor& x);

// y = kernel(x)
Tensor elementwise(kernels::Unary kernel, Arg& x);

}
