#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// The error function of each element: 2/√π times the integral of exp(-t²) from 0 to x.
[[nodiscard]] Tensor erf(Arg x);

}
