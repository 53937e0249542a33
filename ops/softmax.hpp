#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// exp(x) / Σ exp(x) along `dim`, without overflow whatever the size of x. What is 104 or more below
// the largest becomes exactly 0. A row of nothing but -inf is NaN, as PyTorch's. IndexError.
Tensor softmax(Arg x, int dim = -1);

}  // namespace stepgrad
