#pragma once

#include <string>

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// What an op said that refused its operands.
struct Refusal {
  std::string said;  // matmul: [2, 3] · [4, 5]: inner sizes differ, 3 != 4
  Loc loc;           // where the op was called
  Tensors operands;
};

// The latest error since a ledger is kept, and since the last backward pass; without operands if no
// op refused any.
Refusal last_refusal();
void forget_refusal();
void observe_refusals(bool on);

}
