#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// a - b, broadcast as in NumPy. ShapeError. In place: Tensor::sub_.
[[nodiscard]] Tensor sub(Arg a, Arg b);
[[nodiscard]] inline Tensor operator-(Arg a, Arg b) { return sub(std::move(a), std::move(b)); }
inline Tensor operator-=(Tensor& a, Arg b) { return a.sub_(std::move(b)); }

}
