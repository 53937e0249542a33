#include "ops/select.hpp"

#include "core/check.hpp"
#include "core/tape/observer.hpp"
#include "ops/reshape.hpp"
#include "ops/slice.hpp"

namespace stepgrad {

Tensor select(Arg x, int dim, int64_t i) {
  const OpCall call(x);
  const Shape shape = x.shape();
  dim = shape.index(dim, "select");
  const int64_t n = shape[dim], at = i < 0 ? i + n : i;
  check<IndexError>(0 <= at && at < n, "select: index ", i, " along dimension ", dim, " of ", shape);
  return reshape(slice(std::move(x), dim, at, at + 1), shape.erase(dim));
}

Row Tensor::operator[](Index i) const { return Row(stepgrad::select({*this, i.loc}, 0, i.i)); }

void Row::operator=(Arg value) && {
  const CallLine line = Loc(value.loc);  // x[i] has ended its own
  check_operands("x[i] =", value);
  check<ShapeError>(broadcast("x[i] =", value.shape(), shape()) == shape(), "x[i] =: ", value.shape(),
      " does not broadcast to ", shape());
  check<TapeError>(!grad_enabled() || !(requires_grad() || value.tensor.requires_grad()), "x[i] =: ", shape(),
      " or the value is on the tape, and this is not recorded; under NoGrad it may be");
  tell_read(value.tensor, "x[i] =", value.loc, storage().get());
  value.tensor = value.tensor.as_kind(kind(), "x[i] =");
  if (value.tensor.overlaps(*this)) value.tensor = value.tensor.copied();
  kernels::table().copy(strides(shape(), value.shape(), value.shape()), value.data(), data());
  increment_version();
}

}
