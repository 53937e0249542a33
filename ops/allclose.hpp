#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// Whether |a - b| <= atol + rtol·|b| everywhere, as torch.allclose: an infinity is close to itself,
// and a NaN to nothing. ShapeError: they do not broadcast.
[[nodiscard]] bool allclose(Arg a, Arg b, double rtol = 1e-5, double atol = 1e-8);

}
