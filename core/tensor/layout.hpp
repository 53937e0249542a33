#pragma once

#include <optional>
#include <span>

#include "core/tensor/shape.hpp"

namespace stepgrad {

// The places of a view's elements in its base: element [i, j, ..] is at offset + i stride[0] + j
// stride[1] + .. A dimension of stride 0 repeats one element.
struct Layout {
  explicit Layout(const Shape& shape);  // of a tensor that is no view: row after row
  Layout(const Shape& shape, const int64_t* strides, int64_t offset);

  bool is_contiguous() const;   // row after row, from its offset on
  bool overlaps() const;        // elements may share a place, as after expand
  int64_t at(int64_t i) const;  // the i-th element's place, counted row after row

  // Layouts of views of a view. REQUIRES: valid dimensions and sizes.
  Layout select(int dim, int64_t i) const;
  Layout slice(int dim, int64_t begin, int64_t size, int64_t step = 1) const;
  Layout insert(int dim, int64_t size = 1, int64_t stride = 0) const;  // a dimension before dim
  Layout permute(std::span<const int> order) const;
  Layout diagonal(int dim1, int dim2, int64_t begin) const;  // as the last dimension
  Layout expand(const Shape& to) const;                      // REQUIRES: it broadcasts to that
  std::optional<Layout> view(const Shape& to) const;         // null if no strides give that shape

  Shape shape;
  int64_t offset = 0;
  int64_t stride[kernels::max_dims] = {};

 private:
  void drop(int dim);
};

// to[j] = from[place of element j]
void copy_out(const Layout& layout, const Scalar* from, Scalar* to);

// Calls f(place) for each element, row after row.
void for_each_place(const Layout& layout, auto f) {
  const int dims = layout.shape.dims();
  const int64_t rows = layout.shape.rows(), last = dims ? layout.shape[-1] : 1;
  const int64_t step = dims ? layout.stride[dims - 1] : 0;
  if (last == 0) return;
  for (int64_t row = 0; row < rows; ++row) {
    const int64_t begin = layout.at(row * last);
    for (int64_t i = 0; i < last; ++i) f(begin + i * step);
  }
}

}
