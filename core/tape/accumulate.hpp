#pragma once

#include "core/tape/node.hpp"

namespace stepgrad {

// sum += g, or sum = g if sum is undefined; then g's buffer is reused if nobody else holds it.
void accumulate(Tensor& sum, Tensor g);

// g as floats and without a history: for a gradient given by the caller or returned by a hook.
Tensor off_tape(Tensor g);

}
