#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// x[i], which lies in x's memory. Assigning a tensor or a number, which broadcasts, writes over it.
// In place and not recorded, as copy_. ShapeError; TapeError: x or the value is on the tape, and
// this is no NoGrad scope.
struct Row : Tensor {
  explicit Row(Tensor row) : Tensor(std::move(row)) {}
  Row(const Row&) = default;
  void operator=(Arg value) &&;
  void operator=(const Row& value) && { std::move(*this) = Arg(value); }
  void operator=(Tensor value) & { Tensor::operator=(std::move(value)); }  // a handle's
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
inline RowIterator Tensor::begin(Loc loc) const { return {*this, 0, loc}; }
inline RowIterator Tensor::end() const { return {*this, size(0), {}}; }

}  // namespace stepgrad
