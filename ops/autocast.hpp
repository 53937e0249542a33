#pragma once

#include "core/tensor/tensor.hpp"

// What the matrix products have to do with an Autocast, see core/tape/modes.hpp.
namespace stepgrad {

// product(a, b) in the format of the Autocast that lives: of rounded operands, and rounded itself.
Tensor autocast(Tensor (*product)(Arg, Arg), Arg a, Arg b);
Tensor autocast(Tensor (*product_and_sum)(Arg, Arg, Arg), Arg a, Arg b, Arg c);

// The kernels of a product: those of bfloat16s within autocast(), if that is the format.
const kernels::Matmul& matmul_kernels();

}  // namespace stepgrad
