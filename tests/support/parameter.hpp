#pragma once

#include <initializer_list>
#include <vector>

#include "core/tensor.hpp"

namespace stepgrad {

// A leaf of these numbers that requires a gradient.
inline Tensor parameter(std::initializer_list<Scalar> values) {
  return Tensor::from(std::vector(values)).requires_grad_();
}

// Two by two numbers with a name, and such a leaf.
inline Tensor operand(const char* name) { return Tensor::of({{1, 2}, {3, 4}}).set_name(name); }
inline Tensor leaf(const char* name) { return operand(name).requires_grad_(); }

}  // namespace stepgrad
