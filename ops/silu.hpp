#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// The sigmoid linear unit x σ(x), also called Swish (Elfwing et al. 2017, Ramachandran et al.
// 2017).
[[nodiscard]] Tensor silu(Arg x);

}
