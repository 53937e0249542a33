#pragma once

#include <string>

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// A table of what each consumer of x contributed to its gradient in the last backward pass, in the
// order of arrival: the op, the line it was called at, the shape before and after un-broadcasting,
// the range, the numbers, their sum, and what hooks made of it. TapeError: x does not require a
// gradient, or no ledger was kept.
std::string explain(const Tensor& x);

}  // namespace stepgrad
