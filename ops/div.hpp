#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// a / b, element by element, broadcast as in NumPy. ShapeError. In place: Tensor::div_.
[[nodiscard]] Tensor div(Arg a, Arg b);
[[nodiscard]] inline Tensor operator/(Arg a, Arg b) { return div(std::move(a), std::move(b)); }
inline Tensor operator/=(Tensor& a, Arg b) { return a.div_(std::move(b)); }

}
