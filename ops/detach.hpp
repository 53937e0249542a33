#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// x.detach(). While a ledger is kept, the tape shows from which x.
[[nodiscard]] Tensor detach(Arg x);

// The same where the numbers cancel, as the largest one does that softmax subtracts from each.
[[nodiscard]] Tensor shift(Arg x);

}
