#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// Some of a tensor's dimensions.
struct DimSet {
  bool has[kernels::max_dims] = {};
};

// The dimensions named, or all if none is, as in PyTorch. IndexError, ShapeError: a dimension that
// does not exist or is named twice.
DimSet dim_set(const char* op, const Shape& shape, Dims dims);

// The shape after a reduction over `dims`: they become 1, or are removed.
Shape reduced(const Shape& shape, const DimSet& dims, bool keepdim);

// The number of elements that are reduced to one.
int64_t count_over(const Shape& shape, const DimSet& dims);

// The sum over `dims`, whose sizes become 1. Not recorded.
Tensor sum_over(const Tensor& x, const DimSet& dims);

// The dimensions of `wide` along which `shape` was broadcast to it. ShapeError: it does not
// broadcast to it.
DimSet stretched(const Shape& wide, const Shape& shape);

// g summed over the dimensions along which `shape` was broadcast to g's shape; g itself if there
// are none. ShapeError: it does not broadcast to g's shape.
Tensor sum_to(Tensor g, const Shape& shape);

}
