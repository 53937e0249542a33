#include "core/tensor/reduce.hpp"

#include <algorithm>

#include "core/check.hpp"

namespace stepgrad {

DimSet dim_set(const char* op, const Shape& shape, Dims dims) {
  DimSet set;
  if (dims.size() == 0) std::fill_n(set.has, shape.dims(), true);
  for (int dim : dims) {
    bool& has = set.has[shape.index_or_0(dim, op)];
    check<ShapeError>(!has, op, ": dimension ", dim, " of ", shape, " is named twice");
    has = true;
  }
  return set;
}

Shape reduced(const Shape& shape, const DimSet& dims, bool keepdim) {
  Shape result = shape;
  for (int dim = shape.dims() - 1; dim >= 0; --dim) {
    if (dims.has[dim]) result = keepdim ? result.with(dim, 1) : result.erase(dim);
  }
  return result;
}

int64_t count_over(const Shape& shape, const DimSet& dims) {
  int64_t n = 1;
  for (int dim = 0; dim < shape.dims(); ++dim) n *= dims.has[dim] ? shape[dim] : 1;
  return n;
}

// Neighbouring dimensions are summed at once: x is viewed as [outer, n, inner].
Tensor sum_over(const Tensor& x, const DimSet& dims) {
  Tensor y = x;
  for (int end = x.dim(); end > 0; --end) {
    DimSet run;
    int begin = end;
    while (begin > 0 && dims.has[begin - 1]) run.has[--begin] = true;
    if (begin == end) continue;
    const Shape& shape = y.shape();
    const Tensor sum = Tensor::empty(reduced(shape, run, true));
    if (sum.numel() > 0) {
      kernels::table().sum(
          shape.numel(0, begin), shape.numel(begin, end), shape.numel(end, shape.dims()), y.data(), sum.data());
    }
    y = sum;
    end = begin + 1;
  }
  return y.is(x) ? x.copied() : y;
}

DimSet stretched(const Shape& wide, const Shape& shape) {
  const int added = wide.dims() - shape.dims();
  bool fits = added >= 0;
  DimSet dims;
  for (int dim = 0; dim < wide.dims(); ++dim) {
    const int64_t size = dim < added ? 1 : shape[dim - added];
    dims.has[dim] = dim < added || size != wide[dim];
    fits = fits && (size == 1 || !dims.has[dim]);
  }
  check<ShapeError>(fits, "add_grad: ", wide, " is no gradient of ", shape, ", which does not broadcast to it");
  return dims;
}

Tensor sum_to(Tensor g, const Shape& shape) {
  if (g.shape() == shape) return g;
  return sum_over(g, stretched(g.shape(), shape)).with_shape(shape);
}

}
