#pragma once

#include "core/tensor/tensor.hpp"

// Matrix products under an Autocast; see core/tape/modes.hpp.
namespace stepgrad {

// product(a, b) with operands and result rounded to the active Autocast's format.
[[nodiscard]] Tensor autocast(Tensor (*product)(Arg, Arg), Arg a, Arg b);
[[nodiscard]] Tensor autocast(Tensor (*product_and_sum)(Arg, Arg, Arg), Arg a, Arg b, Arg c);

}
