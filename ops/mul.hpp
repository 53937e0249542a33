#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// a ∘ b, element by element, broadcast as in NumPy. ShapeError. In place: Tensor::mul_.
[[nodiscard]] Tensor mul(Arg a, Arg b);
[[nodiscard]] inline Tensor operator*(Arg a, Arg b) { return mul(std::move(a), std::move(b)); }
inline Tensor operator*=(Tensor& a, Arg b) { return a.mul_(std::move(b)); }

}
