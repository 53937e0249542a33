#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// x - log Σ exp(x) along `dim`, without overflow whatever the size of x. IndexError.
[[nodiscard]] Tensor log_softmax(Arg x, int dim = -1);

}
