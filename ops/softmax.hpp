#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// exp(x) / Σ exp(x) along `dim`, without overflow. Elements 104 or more below the largest become
// exactly 0. A row of only -inf becomes NaN, as in PyTorch. IndexError.
[[nodiscard]] Tensor softmax(Arg x, int dim = -1);

}
