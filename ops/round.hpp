#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// The whole number nearest to each element, of two the even one. No gradient passes.
Tensor round(Arg x);

}  // namespace stepgrad
