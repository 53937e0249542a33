#pragma once

#include "core/tensor.hpp"

namespace stepgrad {

// Two by two numbers with a name, and such a leaf.
inline Tensor operand(const char* name) { return Tensor::of({{1., 2}, {3, 4}}).set_name(name); }
inline Tensor named_leaf(const char* name) { return operand(name).requires_grad_(); }

}
