#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// The i-th part along `dim`, which goes: Python's x[.., i]. Along dimension 0 it shares x's memory,
// along others it is a copy. A negative i counts from the end. x[i], for dim = 0, is Tensor's own
// operator. IndexError.
[[nodiscard]] Tensor select(Arg x, int dim, int64_t i);

}
