#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// -x
[[nodiscard]] Tensor neg(Arg x);
[[nodiscard]] inline Tensor operator-(Arg x) { return neg(std::move(x)); }

}
