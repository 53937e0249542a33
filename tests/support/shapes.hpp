#pragma once

#include <algorithm>
#include <vector>

#include "core/tensor/tensor.hpp"

// Shapes to try ops with, and broadcasting one element at a time.
namespace stepgrad {

// Every number of dimensions, sizes of 1 and of 0, and a length that no vector divides.
inline std::vector<Shape> some_shapes() {
  return {{}, {1}, {3}, {17}, {0}, {2, 3}, {3, 1}, {1, 1}, {2, 0}, {4, 2, 3}, {4, 1, 3}, {2, 0, 3}, {2, 1, 3, 2},
      {1, 2, 1, 3, 2}, {2, 1, 3, 1, 2, 2}};
}

struct Broadcast {
  Shape a, b, y;
};

// Every pair of shapes that broadcasts, with the result's shape.
inline std::vector<Broadcast> broadcasting_pairs() {
  const std::vector<Shape> shapes{{}, {1}, {3}, {1, 3}, {2, 1}, {2, 3}, {4, 1, 3}, {4, 2, 1}, {4, 2, 3}, {0}, {2, 0},
      {0, 1}, {0, 3}, {1, 2, 1, 2, 3, 1}, {2, 1, 4, 1, 1, 3}};
  std::vector<Broadcast> pairs;
  for (const Shape& a : shapes) {
    for (const Shape& b : shapes) {
      Shape y = a.dims() > b.dims() ? a : b;
      bool broadcasts = true;
      for (int i = 1; i <= std::min(a.dims(), b.dims()); ++i) {
        broadcasts = broadcasts && (a[-i] == b[-i] || a[-i] == 1 || b[-i] == 1);
        y = y.with(y.dims() - i, a[-i] == 1 ? b[-i] : a[-i]);
      }
      if (broadcasts) pairs.push_back({a, b, y});
    }
  }
  return pairs;
}

// Element i of x broadcast to `shape`.
inline Scalar broadcast_at(const Tensor& x, const Shape& shape, int64_t i) {
  int64_t offset = 0, step = 1;
  for (int dim = 1; dim <= x.dim(); ++dim) {
    const int64_t size = x.shape()[-dim], index = i % shape[-dim];
    offset += size == 1 ? 0 : index * step;
    step *= size;
    i /= shape[-dim];
  }
  return x.data()[offset];
}

// f(a, b) for every element of `shape`, which a and b broadcast to.
std::vector<Scalar> for_each_element(const Shape& shape, const Tensor& a, const Tensor& b, auto f) {
  std::vector<Scalar> values;
  for (int64_t i = 0; i < shape.numel(); ++i) {
    values.push_back(f(broadcast_at(a, shape, i), broadcast_at(b, shape, i)));
  }
  return values;
}

// The shape that x has after a reduction over `dims`, counted from the front.
inline Shape reduced_shape(const Tensor& x, Dims dims, bool keepdim) {
  Shape shape = x.shape();
  for (int dim = x.dim() - 1; dim >= 0; --dim) {
    if (std::find(dims.begin(), dims.end(), dim) == dims.end()) continue;
    shape = keepdim ? shape.with(dim, 1) : shape.erase(dim);
  }
  return shape;
}

// The sums over `dims`, one element after the other, in double.
inline std::vector<Scalar> sums_over(const Tensor& x, Dims dims) {
  const Shape kept = reduced_shape(x, dims, true);
  std::vector<double> sums(kept.numel());
  for (int64_t i = 0; i < x.numel(); ++i) {
    int64_t rest = i, offset = 0, step = 1;
    for (int dim = 1; dim <= x.dim(); rest /= x.shape()[-dim++]) {
      offset += (kept[-dim] == 1 ? 0 : rest % x.shape()[-dim]) * step;
      step *= kept[-dim];
    }
    sums[offset] += x.data()[i];
  }
  return {sums.begin(), sums.end()};
}

}
