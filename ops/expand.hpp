#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// x broadcast to `shape`, as a copy. A -1 keeps the size. ShapeError: x does not broadcast to it.
[[nodiscard]] Tensor expand(Arg x, Shape shape);

}
