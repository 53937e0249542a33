#pragma once

#include "core/tensor.hpp"

namespace stepgrad {

// a - b, broadcast as in NumPy. ShapeError.
Tensor sub(Arg a, Arg b);
inline Tensor operator-(Arg a, Arg b) { return sub(std::move(a), std::move(b)); }

}  // namespace stepgrad
