#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// begin, begin + step, ... up to but not including end, as torch.arange. ValueError: step is 0 or
// leads away from end, or a Scalar cannot represent the values, or two neighbours are equal.
// Of integers if begin, end and step are.
[[nodiscard]] Tensor arange(Number end, Loc loc = Loc::here());
[[nodiscard]] Tensor arange(Number begin, Number end, Number step = 1, Loc loc = Loc::here());

}
