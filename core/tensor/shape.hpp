#pragma once

#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <span>
#include <vector>

#include "core/kernels/table.hpp"
#include "core/loc.hpp"

namespace stepgrad {

// The i of x[i] and x.shape()[i], and the line it is in.
struct Index {
  int64_t i;
  Loc loc;
  Index(int64_t index, Loc at = Loc::here()) : i(index), loc(at) {}
};

// The sizes of a tensor, outermost first: up to six, held inline. A single number has none. A
// negative dimension counts from the end, as in PyTorch: size(-1) is the last.
class Shape {
 public:
  Shape() = default;
  // ShapeError: more than six.
  Shape(std::initializer_list<int64_t> sizes, Loc loc = Loc::here());
  explicit Shape(std::span<const int64_t> sizes, Loc loc = {});

  int dims() const { return dims_; }
  int64_t numel() const { return numel(0, dims_); }     // 1 for no sizes
  int64_t numel(int begin, int end) const;              // of the dimensions in [begin, end) alone
  int64_t rows() const { return numel(0, dims_ - 1); }  // [..., n] seen as [rows, n]
  int64_t size(int dim, Loc loc = Loc::here()) const { return sizes_[index(dim, "size", loc)]; }
  int64_t operator[](Index dim) const {  // IndexError
    const int64_t i = dim.i < 0 ? dim.i + dims_ : dim.i;
    if (i < 0 || i >= dims_) [[unlikely]]
      throw_no_dimension(dim.i, "shape", dim.loc);
    return sizes_[i];
  }

  // The size along `dim`, as index_or_0() returns it: 1 for a single number's.
  int64_t along(int dim) const { return sizes_[dim]; }

  // The dimension counted from the front, 0 <= result < dims(). IndexError, its message starting
  // with op: dim is outside [-dims(), dims()).
  int index(int dim, const char* op = "size", Loc loc = {}) const;
  // As above, but for a single number dims 0 and -1 are valid, as in PyTorch.
  int index_or_0(int dim, const char* op) const;

  const int64_t* begin() const { return sizes_; }
  const int64_t* end() const { return sizes_ + dims_; }
  bool operator==(const Shape& other) const {
    if (dims_ != other.dims_) return false;
    for (int i = 0; i < dims_; ++i)
      if (sizes_[i] != other.sizes_[i]) return false;
    return true;
  }

  // A new shape with one size replaced, inserted before `dim`, or removed; unchanged if there is no
  // size to replace or remove. REQUIRES: 0 <= dim.
  Shape with(int dim, int64_t size) const;
  Shape insert(int dim, int64_t size) const;  // ShapeError: would have more than six
  Shape erase(int dim) const;

 private:
  [[noreturn]] void throw_no_dimension(int64_t dim, const char* op, Loc loc) const;
  int64_t sizes_[kernels::max_dims] = {1, 1, 1, 1, 1, 1};  // 1 from dims_ on
  int dims_ = 0;
};

std::ostream& operator<<(std::ostream& out, const Shape& shape);  // [4, 10, 512]

// Several dimensions of a tensor, or just one; negative ones count from the end.
class Dims {
 public:
  Dims() = default;
  Dims(int dim) : Dims({dim}) {}
  Dims(std::initializer_list<int> dims, Loc loc = Loc::here()) : Dims(std::vector(dims), loc) {}
  Dims(const std::vector<int>& dims, Loc loc = Loc::here());  // ShapeError: more than six

  size_t size() const { return size_; }
  const int* begin() const { return dims_; }
  const int* end() const { return dims_ + size_; }

 private:
  int dims_[kernels::max_dims] = {};
  size_t size_ = 0;
};

// shape.numel(). Throws ShapeError if a size is negative or the sizes' product does not fit.
int64_t check_sizes(const char* op, const Shape& shape, Loc loc = {});

// The shape that a and b broadcast to by NumPy's rules: aligned at the last dimension, two sizes
// are equal or one of them is 1. ShapeError: they do not. The last `inner` dimensions (2 for a
// matrix) are left out.
Shape broadcast(const char* op, const Shape& a, const Shape& b, int inner = 0);

// The strides of a dense tensor along each dimension of y, the shape it broadcasts to: 0 where it
// is broadcast. `out` has y.dims() places.
void dense_strides(const Shape& shape, const Shape& y, int64_t* out);

// How to read two arrays of n elements, one after the other.
inline kernels::Strides in_order(int64_t n) {
  kernels::Strides walk;
  walk.dims = 1;
  walk.size[0] = n;
  walk.a[0] = walk.b[0] = 1;
  return walk;
}

// How to read dense inputs of shapes a and b while a y that they broadcast to is written in order.
kernels::Strides strides(const Shape& y, const Shape& a, const Shape& b);

// A product over k terms whose result y, [..., n], is seen as [rows, n].
kernels::Products product_sizes(const Shape& y, int64_t k);

// The same walk, with neighbouring dimensions joined where every input has one stride for both, and
// without sizes of 1: most walks then have one or two dimensions.
kernels::Strides joined(const kernels::Strides& walk);

// A shape from numbers, as attributes hold it.
Shape shape_of(const std::vector<double>& sizes);
Dims dims_of(const std::vector<double>& dims);

}
