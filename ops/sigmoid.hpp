#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// 1/(1 + exp(-x)) for each element.
[[nodiscard]] Tensor sigmoid(Arg x);

}
