#include "ops/argmax.hpp"

#include <cmath>

#include "core/check.hpp"
#include "core/tape/record.hpp"
#include "ops/neg.hpp"
#include "ops/reshape.hpp"

namespace stepgrad {

// Y[o, i] = the first j with X[o, j, i] = max_j X[o, j, i]. An index has no gradient.
static constexpr Formula index_of_largest{"argmax", "Y = argmax X", "",
    [](Inputs x, const Attributes& of) { return argmax(x[0], of("dim"), of("keepdim") != 0); },
    Traits{.pieces = "max X", .sums = "dim"}};

Tensor argmax(Arg x, int dim, bool keepdim) {
  const Shape& shape = x.shape();
  dim = shape.index_or_0(dim, "argmax");
  check<ShapeError>(shape.along(dim) > 0, "argmax: ", shape, " has no elements along dimension ", dim);
  check<ShapeError>(shape.along(dim) <= max_whole, "argmax: ", shape, " has more than ", max_whole,
      " elements along dimension ", dim, ", too many for each to have an index that is exact");
  const int64_t n = shape.along(dim), inner = shape.numel(dim + 1, shape.dims());
  auto node = record_step<index_of_largest>({{"dim", {double(dim)}}, {"keepdim", {double(keepdim)}}}, x);
  const Tensor y = Tensor::empty(shape.with(dim, 1)).set_kind(Kind::integer);
  for (int64_t r = 0; r < y.numel(); ++r) {
    const Scalar* first = x.data() + r / inner * n * inner + r % inner;
    int64_t best = 0;
    for (int64_t j = 1; j < n && !std::isnan(first[best * inner]); ++j) {
      if (!(first[j * inner] <= first[best * inner])) best = j;
    }
    y.data()[r] = Scalar(best);
  }
  return on_tape(keepdim ? y : y.with_shape(shape.erase(dim)), std::move(node));
}

Tensor argmin(Arg x, int dim, bool keepdim) {
  x.shape().index_or_0(dim, "argmin");
  const OpCall call(x);
  return argmax(neg(std::move(x)), dim, keepdim);
}

Tensor argmax(Arg x) { return argmax(reshape(x, {x.numel()}), 0); }
Tensor argmin(Arg x) { return argmin(reshape(x, {x.numel()}), 0); }

}
