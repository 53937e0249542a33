#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// x[i], a view of x. Assigning a tensor or a number overwrites it, with broadcasting; like copy_,
// this is not recorded, and whole numbers take the whole parts of others. ShapeError: the value
// does not broadcast to it. TapeError: x or the value requires a gradient and NoGrad is not active.
struct Row : Tensor {
  explicit Row(Tensor row) : Tensor(std::move(row)) {}
  Row(const Row&) = default;
  void operator=(Arg value) &&;
  void operator=(const Row& value) && { std::move(*this) = Arg(value); }
  void operator=(Tensor value) & { Tensor::operator=(std::move(value)); }  // rebinds the handle
  Tensor operator+=(Arg other) const { return add_(std::move(other)); }
  Tensor operator-=(Arg other) const { return sub_(std::move(other)); }
  Tensor operator*=(Arg other) const { return mul_(std::move(other)); }
  Tensor operator/=(Arg other) const { return div_(std::move(other)); }
};

struct RowIterator {
  Row operator*() const { return x[{i, loc}]; }
  RowIterator& operator++() { return ++i, *this; }
  bool operator==(const RowIterator& other) const { return i == other.i; }

  Tensor x;
  int64_t i;
  Loc loc;
};
inline RowIterator Tensor::begin(Loc loc) const { return {check_defined("begin", loc), 0, loc}; }
inline RowIterator Tensor::end(Loc loc) const { return {*this, size(0, loc), {}}; }

}
