#include "core/tensor/elementwise.hpp"

namespace stepgrad {

Tensor output(const Shape& shape, Arg& a) {
  if (!(a.tensor.owned_alone() && a.shape() == shape)) return Tensor::empty(shape);
  Tensor taken = std::move(a.tensor);
  taken.forget();
  return taken;
}

Tensor output(Tensor& dY) { return dY.owned_alone() ? std::move(dY) : Tensor::empty(dY.shape()); }

Tensor elementwise(kernels::Binary kernel, const Shape& shape, Arg& a, Arg& b) {
  const Scalar* a_data = a.data();
  const Scalar* b_data = b.data();
  const kernels::Strides walk = strides(shape, a.shape(), b.shape());
  const bool take_b = b.tensor.owned_alone() && b.shape() == shape;
  Tensor y = output(shape, take_b ? b : a);
  kernel(walk, a_data, b_data, y.data());
  return y;
}

void elementwise_(kernels::Binary kernel, const Tensor& x, const Arg& b) {
  const bool partly = !b.tensor.is(x) && b.tensor.overlaps(x);
  const Tensor apart = partly ? b.tensor.copied() : Tensor();
  kernel(strides(x.shape(), x.shape(), b.shape()), x.data(), partly ? apart.data() : b.data(), x.data());
}

Tensor elementwise(kernels::UnaryGrad kernel, Tensor dy, const Tensor& x) {
  const Scalar* data = dy.data();
  const Tensor dx = output(dy);
  kernel(x.numel(), data, x.data(), dx.data());
  return dx;
}

Tensor elementwise(kernels::Unary kernel, Arg& x) {
  const Scalar* data = x.data();
  Tensor y = output(x.shape(), x);
  kernel(y.numel(), data, y.data());
  return y;
}

}
