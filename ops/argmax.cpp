#include "ops/argmax.hpp"

#include <cmath>

#include "core/check.hpp"
#include "ops/neg.hpp"

namespace stepgrad {

// Y[o, i] = the first j with X[o, j, i] = max_j X[o, j, i]. An index has no gradient.
Tensor argmax(Arg x, int dim, bool keepdim) {
  const Shape& shape = x.shape();
  dim = shape.index_or_0(dim, "argmax");
  check<ShapeError>(shape[dim] > 0, "argmax: ", shape, " has no elements along dimension ", dim);
  check<ShapeError>(shape[dim] <= max_whole, "argmax: ", shape, " has more than ", max_whole,
                    " elements along dimension ", dim,
                    ", too many for each to have an index that is exact");
  const int64_t n = shape[dim], inner = shape.numel(dim + 1, shape.dims());
  const Tensor y = Tensor::empty(shape.with(dim, 1)).set_kind(Kind::integer);
  for (int64_t r = 0; r < y.numel(); ++r) {
    const Scalar* first = x.data() + r / inner * n * inner + r % inner;
    int64_t best = 0;
    for (int64_t j = 1; j < n && !std::isnan(first[best * inner]); ++j) {
      if (!(first[j * inner] <= first[best * inner])) best = j;
    }
    y.data()[r] = static_cast<Scalar>(best);
  }
  return keepdim ? y : y.with_shape(shape.erase(dim));
}

Tensor argmin(Arg x, int dim, bool keepdim) { return argmax(neg(x.tensor.detach()), dim, keepdim); }

Tensor argmax(Arg x) { return argmax(x.tensor.with_shape({x.numel()}), 0); }
Tensor argmin(Arg x) { return argmin(x.tensor.with_shape({x.numel()}), 0); }

}  // namespace stepgrad
