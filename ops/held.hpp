#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// y, which was computed from x off the tape. The tape says so: a live page keeps y as it was
// recorded, and says that at each number computed from it.
Tensor held(Tensor y, Arg x);

// x.detach(), of which the tape knows whose data they are.
Tensor detach(Arg x);

}  // namespace stepgrad
