#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// 1 where it is true and 0 where not, element by element, broadcast as in NumPy; without gradient.
// A NaN is not equal to anything, nor greater nor less. ShapeError. `a == b` is not a bool, so it
// stands in no `if`: allclose(a, b) does, and a.is(b), which is true of two handles of one tensor.
Tensor eq(Arg a, Arg b);
Tensor ne(Arg a, Arg b);
Tensor lt(Arg a, Arg b);
Tensor le(Arg a, Arg b);
Tensor gt(Arg a, Arg b);
Tensor ge(Arg a, Arg b);
inline Tensor operator==(Arg a, Arg b) { return eq(std::move(a), std::move(b)); }
inline Tensor operator!=(Arg a, Arg b) { return ne(std::move(a), std::move(b)); }
inline Tensor operator<(Arg a, Arg b) { return lt(std::move(a), std::move(b)); }
inline Tensor operator<=(Arg a, Arg b) { return le(std::move(a), std::move(b)); }
inline Tensor operator>(Arg a, Arg b) { return gt(std::move(a), std::move(b)); }
inline Tensor operator>=(Arg a, Arg b) { return ge(std::move(a), std::move(b)); }

}  // namespace stepgrad
