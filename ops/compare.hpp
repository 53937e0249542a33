#pragma once

#include "core/tensor.hpp"

namespace stepgrad {

// 1 where it is true and 0 where not, element by element, broadcast as in NumPy; without gradient.
// A NaN is neither equal to, greater nor less than anything. ShapeError.
Tensor eq(Arg a, Arg b);
Tensor gt(Arg a, Arg b);
Tensor lt(Arg a, Arg b);
inline Tensor operator>(Arg a, Arg b) { return gt(std::move(a), std::move(b)); }
inline Tensor operator<(Arg a, Arg b) { return lt(std::move(a), std::move(b)); }

}  // namespace stepgrad
