#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// The whole number nearest to each element, of two the even one. No gradient passes.
[[nodiscard]] Tensor round(Arg x);

}
