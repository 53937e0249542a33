#pragma once

#include "core/tape/node.hpp"

namespace stepgrad {

// sum += g, or sum = g if sum is undefined; then g is taken over if nobody else holds it.
void accumulate(Tensor& sum, Tensor g);

// A gradient that the caller or a hook gives, as floats and without a history: what it was computed
// from need not live on.
Tensor off_tape(Tensor g);

}  // namespace stepgrad
