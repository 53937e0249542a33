#pragma once

#include "core/tape/node.hpp"

namespace stepgrad {

// sum += g, or sum = g if sum is undefined; then g's buffer is reused if nobody else holds it.
void accumulate(Tensor& sum, Tensor g);
void arrive(Tensor& sum, Tensor g);  // the same; recorded: in its own buffer

// As floats, for a gradient that is given by the caller or returned by a hook.
Tensor without_history(Tensor g);

}
