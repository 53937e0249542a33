#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// x repeated times[i] times along dimension i, as a copy. ShapeError: `times` has fewer
// entries than x has dimensions, or a negative one.
[[nodiscard]] Tensor repeat(Arg x, const Shape& times);

}
