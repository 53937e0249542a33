#pragma once

#include <algorithm>

#include "demos/python/binding/tensor.hpp"
#include "ops/ops.hpp"

namespace stepgrad::python {

// Applies f to each pair of elements, broadcast; off the tape.
template <class F>
Tensor each(const char* op, const Arg& a, const Arg& b, F f) {
  const Shape shape = broadcast(op, a.shape(), b.shape());
  const Tensor y = Tensor::empty(shape), x = expand(a.tensor.detach(), shape),
               z = expand(b.tensor.detach(), shape);
  std::transform(x.data(), x.data() + x.numel(), z.data(), y.data(), f);
  return y;
}

Tensor floor_divide(Arg a, Arg b);
Tensor remainder(Arg a, Arg b);

}  // namespace stepgrad::python
