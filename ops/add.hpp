#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// a + b, broadcast as in NumPy. ShapeError. In place: Tensor::add_.
[[nodiscard]] Tensor add(Arg a, Arg b);
[[nodiscard]] inline Tensor operator+(Arg a, Arg b) { return add(std::move(a), std::move(b)); }
inline Tensor operator+=(Tensor& a, Arg b) { return a.add_(std::move(b)); }

}
