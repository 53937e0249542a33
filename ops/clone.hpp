#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// A copy of x; the gradient passes through.
[[nodiscard]] Tensor clone(Arg x);

}
