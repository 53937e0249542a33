#pragma once

#include <initializer_list>
#include <vector>

#include "core/tensor.hpp"

namespace stepgrad {

// A leaf of these numbers that requires a gradient.
inline Tensor parameter(std::initializer_list<Scalar> values) {
  return Tensor::from(std::vector(values)).requires_grad_();
}

}  // namespace stepgrad
