#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// 1 on the diagonal and 0 elsewhere: [n, n] or [n, m]. ShapeError: a negative size.
[[nodiscard]] Tensor eye(int64_t n, Loc loc = Loc::here());
[[nodiscard]] Tensor eye(int64_t n, int64_t m, Loc loc = Loc::here());

}
