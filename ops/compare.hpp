#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// 1 where true and 0 where false, element by element, broadcast as in NumPy; without gradient. All
// comparisons with NaN are false. ShapeError. `a == b` is a tensor, not a bool: in an `if` use
// allclose(a, b), or a.is(b), which is true for two handles of one tensor.
[[nodiscard]] Tensor eq(Arg a, Arg b);
[[nodiscard]] Tensor ne(Arg a, Arg b);
[[nodiscard]] Tensor lt(Arg a, Arg b);
[[nodiscard]] Tensor le(Arg a, Arg b);
[[nodiscard]] Tensor gt(Arg a, Arg b);
[[nodiscard]] Tensor ge(Arg a, Arg b);
[[nodiscard]] inline Tensor operator==(Arg a, Arg b) { return eq(std::move(a), std::move(b)); }
[[nodiscard]] inline Tensor operator!=(Arg a, Arg b) { return ne(std::move(a), std::move(b)); }
[[nodiscard]] inline Tensor operator<(Arg a, Arg b) { return lt(std::move(a), std::move(b)); }
[[nodiscard]] inline Tensor operator<=(Arg a, Arg b) { return le(std::move(a), std::move(b)); }
[[nodiscard]] inline Tensor operator>(Arg a, Arg b) { return gt(std::move(a), std::move(b)); }
[[nodiscard]] inline Tensor operator>=(Arg a, Arg b) { return ge(std::move(a), std::move(b)); }

}
