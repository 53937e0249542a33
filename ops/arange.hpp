#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// begin, begin + step, ... up to but not including end, as torch.arange. ValueError: step is 0 or
// leads away from end, or a Scalar does not hold the whole numbers asked for, or tell neighbours
// apart.
// Whole if all of these are integers.
Tensor arange(Number end);
Tensor arange(Number begin, Number end, Number step = 1);

}  // namespace stepgrad
