#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// y, which was computed from x off the tape. The tape says so: a live page keeps y as it was
// recorded, and says that at each number computed from it.
Tensor held(Tensor y, Arg x);

// x.detach(). While a ledger is kept, the tape shows from which x.
Tensor detach(Arg x);

}  // namespace stepgrad
