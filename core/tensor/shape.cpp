#include "core/tensor/shape.hpp"

#include <algorithm>
#include <limits>
#include <ostream>

#include "core/check.hpp"

namespace stepgrad {

Shape::Shape(std::initializer_list<int64_t> sizes, Loc loc) : Shape(std::span(sizes.begin(), sizes.end()), loc) {}

Shape::Shape(std::span<const int64_t> sizes, Loc loc) : dims_(int(sizes.size())) {
  check_at<ShapeError>(loc, sizes.size() <= kernels::max_dims, "shape: ", sizes.size(), " dimensions, and at most ",
      kernels::max_dims, " are supported");
  std::copy(sizes.begin(), sizes.end(), sizes_);
}

int64_t Shape::numel(int begin, int end) const {
  int64_t product = 1;
  for (int dim = begin; dim < end; ++dim) product *= sizes_[dim];
  return product;
}

void Shape::throw_no_dimension(int64_t dim, const char* op, Loc loc) const {
  fail_at<IndexError>(loc, op, ": ", *this, " has no dimension ", dim);
}

int Shape::index(int dim, const char* op, Loc loc) const {
  if (dim < -dims_ || dim >= dims_) throw_no_dimension(dim, op, loc);
  return dim < 0 ? dim + dims_ : dim;
}

int Shape::index_or_0(int dim, const char* op) const {
  return dims_ == 0 && (dim == 0 || dim == -1) ? 0 : index(dim, op);
}

Shape Shape::with(int dim, int64_t size) const {
  if (dims_ == 0) return *this;
  Shape result = *this;
  result.sizes_[dim] = size;
  return result;
}

Shape Shape::insert(int dim, int64_t size) const {
  check<ShapeError>(dims_ < kernels::max_dims, "shape: ", *this, " has the most dimensions already");
  Shape result = *this;
  result.sizes_[result.dims_++] = size;
  std::rotate(result.sizes_ + dim, result.sizes_ + dims_, result.sizes_ + result.dims_);
  return result;
}

Shape Shape::erase(int dim) const {
  if (dims_ == 0) return *this;
  Shape result = *this;
  std::copy(sizes_ + dim + 1, sizes_ + dims_, result.sizes_ + dim);
  result.sizes_[--result.dims_] = 1;
  return result;
}

std::ostream& operator<<(std::ostream& out, const Shape& shape) {
  out << '[';
  for (int i = 0; i < shape.dims(); ++i) out << (i ? ", " : "") << shape[i];
  return out << ']';
}

Dims::Dims(const std::vector<int>& dims, Loc loc) : size_(dims.size()) {
  check_at<ShapeError>(
      loc, size_ <= kernels::max_dims, "dims: ", size_, " are named, and at most ", kernels::max_dims, " are there");
  std::copy(dims.begin(), dims.end(), dims_);
}

int64_t check_sizes(const char* op, const Shape& shape, Loc loc) {
  // Elements are counted by addresses, too; on 64 bits the bytes fit as well.
  constexpr int64_t most =
      std::min<int64_t>(std::numeric_limits<int64_t>::max() / 64, std::numeric_limits<std::ptrdiff_t>::max());
  int64_t smallest = 1, product = 1;  // of the sizes, zeros taken for ones in the product
  bool fits = true;
  for (int64_t size : shape) {
    smallest = std::min(smallest, size);
    fits &= !__builtin_mul_overflow(product, std::max<int64_t>(size, 1), &product);
  }
  check_at<ShapeError>(loc, smallest >= 0, op, ": ", shape, " has a negative size");
  check_at<ShapeError>(loc, fits && product <= most, op, ": ", shape, " has more elements than memory has addresses");
  return smallest == 0 ? 0 : product;
}

Shape broadcast(const char* op, const Shape& a, const Shape& b, int inner) {
  Shape y = a.dims() >= b.dims() ? a : b;
  if (a == b) return y;
  for (int i = 1 + inner; i <= std::min(a.dims(), b.dims()); ++i) {
    check<ShapeError>(a[-i] == b[-i] || a[-i] == 1 || b[-i] == 1, op, ": ", a, " and ", b, " do not broadcast, ", a[-i],
        " != ", b[-i]);
    y = y.with(y.dims() - i, a[-i] == 1 ? b[-i] : a[-i]);
  }
  return y;
}

void dense_strides(const Shape& shape, const Shape& y, int64_t* out) {
  int64_t step = 1;
  for (int i = 1; i <= y.dims(); ++i) {
    const int64_t size = i <= shape.dims() ? shape[-i] : 1;
    out[y.dims() - i] = size == 1 ? 0 : step;
    step *= size;
  }
}

// For a number that broadcasts to y, and for shapes that need a walk.
[[gnu::noinline]] static kernels::Strides stretching(const Shape& y, const Shape& a, const Shape& b) {
  const int64_t of_a = a.numel(), of_b = b.numel(), of_y = y.numel();
  kernels::Strides walk;
  if (of_y == 0 || ((a == y || of_a == 1) && (b == y || of_b == 1))) {
    walk = in_order(of_y);
    walk.a[0] = of_a == of_y;
    walk.b[0] = of_b == of_y;
    return walk;
  }
  walk.dims = y.dims();
  std::copy(y.begin(), y.end(), walk.size);
  dense_strides(a, y, walk.a);
  dense_strides(b, y, walk.b);
  walk = joined(walk);
  return walk;  // one variable for both returns, so that it is not copied
}

// Most ops have operands of one shape: for small tensors the general way costs more than the op.
kernels::Strides strides(const Shape& y, const Shape& a, const Shape& b) {
  return a == y && b == y ? in_order(y.numel()) : stretching(y, a, b);
}

kernels::Products product_sizes(const Shape& y, int64_t k) {
  if (y.numel() == 0) return {};  // there may be 2⁵⁰ rows of no columns
  return {.m = y.rows(), .n = y[-1], .k = k};
}

kernels::Strides joined(const kernels::Strides& walk) {
  kernels::Strides result;
  for (int i = 0; i < walk.dims; ++i) {
    if (walk.size[i] == 1) continue;
    int last = result.dims - 1;
    const bool in_one_stride =
        last >= 0 && result.a[last] == walk.a[i] * walk.size[i] && result.b[last] == walk.b[i] * walk.size[i];
    const int64_t before = in_one_stride ? result.size[last] : 1;
    if (!in_one_stride) last = result.dims++;
    result.size[last] = before * walk.size[i];
    result.a[last] = walk.a[i];
    result.b[last] = walk.b[i];
  }
  return result;
}

Shape shape_of(const std::vector<double>& sizes) {
  Shape shape;
  for (const double size : sizes) shape = shape.insert(shape.dims(), int64_t(size));
  return shape;
}

Dims dims_of(const std::vector<double>& dims) { return Dims(std::vector<int>(dims.begin(), dims.end())); }

}
