#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// The hyperbolic tangent of each element.
[[nodiscard]] Tensor tanh(Arg x);

}
