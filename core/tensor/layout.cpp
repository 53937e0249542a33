#include "core/tensor/layout.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace stepgrad {

Layout::Layout(const Shape& shape) : shape(shape) {
  int64_t step = 1;
  for (int dim = shape.dims() - 1; dim >= 0; --dim) {
    stride[dim] = step;
    step *= std::max<int64_t>(shape[dim], 1);
  }
}

Layout::Layout(const Shape& shape, const int64_t* strides, int64_t offset) : shape(shape), offset(offset) {
  std::copy_n(strides, shape.dims(), stride);
}

bool Layout::is_contiguous() const {
  int64_t wanted = 1;
  for (int dim = shape.dims() - 1; dim >= 0; --dim) {
    if (shape[dim] != 1 && stride[dim] != wanted) return shape.numel() == 0;
    wanted *= shape[dim];
  }
  return true;
}

bool Layout::overlaps() const {
  if (shape.numel() == 0) return false;
  std::vector<std::pair<int64_t, int64_t>> steps;  // (stride, size), from the smallest stride on
  for (int dim = 0; dim < shape.dims(); ++dim)
    if (shape[dim] > 1) steps.emplace_back(stride[dim], shape[dim]);
  std::sort(steps.begin(), steps.end());
  int64_t reach = 0;  // of the dimensions so far
  for (const auto& [step, size] : steps) {
    if (step <= reach) return true;
    reach += step * (size - 1);
  }
  return false;
}

int64_t Layout::at(int64_t i) const {
  int64_t place = offset;
  for (int dim = shape.dims() - 1; dim >= 0; --dim) {
    place += i % shape[dim] * stride[dim];
    i /= shape[dim];
  }
  return place;
}

void Layout::drop(int dim) {
  std::copy(stride + dim + 1, stride + shape.dims(), stride + dim);
  shape = shape.erase(dim);
}

Layout Layout::select(int dim, int64_t i) const {
  Layout result(*this);
  result.offset += i * stride[dim];
  result.drop(dim);
  return result;
}

Layout Layout::slice(int dim, int64_t begin, int64_t size, int64_t step) const {
  Layout result(*this);
  result.shape = shape.with(dim, size);
  result.offset += begin * stride[dim];
  result.stride[dim] *= step;
  return result;
}

Layout Layout::insert(int dim, int64_t size, int64_t its_stride) const {
  Layout result(*this);
  result.shape = shape.insert(dim, size);
  std::copy_backward(result.stride + dim, result.stride + shape.dims(), result.stride + shape.dims() + 1);
  result.stride[dim] = its_stride;
  return result;
}

Layout Layout::diagonal(int dim1, int dim2, int64_t begin) const {
  const int64_t rows = shape[dim1] + std::min<int64_t>(begin, 0), columns = shape[dim2] - std::max<int64_t>(begin, 0);
  const int64_t size = std::max<int64_t>(0, std::min(rows, columns));
  Layout result(*this);
  result.drop(std::max(dim1, dim2)), result.drop(std::min(dim1, dim2));
  result = result.insert(shape.dims() - 2, size, stride[dim1] + stride[dim2]);
  if (size) result.offset += begin < 0 ? -begin * stride[dim1] : begin * stride[dim2];
  return result;
}

Layout Layout::permute(std::span<const int> order) const {
  Layout result(*this);
  int at = 0;
  for (const int dim : order) {
    const int from = shape.index(dim);
    result.shape = result.shape.with(at, shape[from]);
    result.stride[at++] = stride[from];
  }
  return result;
}

Layout Layout::expand(const Shape& to) const {
  Layout result(*this);
  while (result.shape.dims() < to.dims()) result = result.insert(0);
  for (int dim = 0; dim < to.dims(); ++dim) {
    if (result.shape[dim] != to[dim]) result.stride[dim] = 0;
  }
  result.shape = to;
  return result;
}

// Neighbouring dimensions with one common stride may be split differently.
std::optional<Layout> Layout::view(const Shape& to) const {
  Layout result(to);
  result.offset = offset;
  if (shape.numel() == 0 || shape.dims() == 0) return result;
  int dim = to.dims() - 1;
  int64_t run = 1, run_stride = stride[shape.dims() - 1];
  for (int from = shape.dims() - 1; from >= 0; --from) {
    run *= shape[from];
    const bool goes_on = from > 0 && (shape[from - 1] == 1 || stride[from - 1] == run * run_stride);
    if (goes_on) continue;
    int64_t taken = 1;
    while (dim >= 0 && (taken < run || to[dim] == 1)) {
      result.stride[dim] = taken * run_stride;
      taken *= to[dim--];
    }
    if (taken != run) return {};
    if (from > 0) run = 1, run_stride = stride[from - 1];
  }
  return dim < 0 ? std::optional(result) : std::nullopt;
}

void copy_out(const Layout& layout, const Scalar* from, Scalar* to) {
  kernels::Strides walk;
  walk.dims = layout.shape.dims();
  for (int dim = 0; dim < walk.dims; ++dim) {
    walk.size[dim] = layout.shape[dim];
    walk.a[dim] = walk.b[dim] = layout.stride[dim];
  }
  kernels::table().copy(joined(walk), from + layout.offset, to);
}

}
