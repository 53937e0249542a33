#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// e to the power of each element.
[[nodiscard]] Tensor exp(Arg x);

}
