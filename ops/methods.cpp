// The ops as methods: x.matmul(w) is matmul(x, w). Those in place stand with their ops.
#include "ops/ops.hpp"

namespace stepgrad {

Tensor Tensor::add(Arg other) const { return stepgrad::add({*this, other.loc}, other); }
Tensor Tensor::sub(Arg other) const { return stepgrad::sub({*this, other.loc}, other); }
Tensor Tensor::mul(Arg other) const { return stepgrad::mul({*this, other.loc}, other); }
Tensor Tensor::div(Arg other) const { return stepgrad::div({*this, other.loc}, other); }
Tensor Tensor::maximum(Arg other) const { return stepgrad::maximum({*this, other.loc}, other); }
Tensor Tensor::minimum(Arg other) const { return stepgrad::minimum({*this, other.loc}, other); }
Tensor Tensor::matmul(Arg other) const { return stepgrad::matmul({*this, other.loc}, other); }
Tensor Tensor::eq(Arg other) const { return stepgrad::eq({*this, other.loc}, other); }
Tensor Tensor::ne(Arg other) const { return stepgrad::ne({*this, other.loc}, other); }
Tensor Tensor::lt(Arg other) const { return stepgrad::lt({*this, other.loc}, other); }
Tensor Tensor::le(Arg other) const { return stepgrad::le({*this, other.loc}, other); }
Tensor Tensor::gt(Arg other) const { return stepgrad::gt({*this, other.loc}, other); }
Tensor Tensor::ge(Arg other) const { return stepgrad::ge({*this, other.loc}, other); }
Tensor Tensor::pow(Arg exponent) const { return stepgrad::pow({*this, exponent.loc}, exponent); }
bool Tensor::allclose(Arg other, double rtol, double atol) const {
  return stepgrad::allclose({*this, other.loc}, other, rtol, atol);
}

Tensor Tensor::neg(Loc loc) const { return stepgrad::neg({*this, loc}); }
Tensor Tensor::abs(Loc loc) const { return stepgrad::abs({*this, loc}); }
Tensor Tensor::exp(Loc loc) const { return stepgrad::exp({*this, loc}); }
Tensor Tensor::log(Loc loc) const { return stepgrad::log({*this, loc}); }
Tensor Tensor::sqrt(Loc loc) const { return stepgrad::sqrt({*this, loc}); }
Tensor Tensor::tanh(Loc loc) const { return stepgrad::tanh({*this, loc}); }
Tensor Tensor::sigmoid(Loc loc) const { return stepgrad::sigmoid({*this, loc}); }
Tensor Tensor::erf(Loc loc) const { return stepgrad::erf({*this, loc}); }
Tensor Tensor::trunc(Loc loc) const { return stepgrad::trunc({*this, loc}); }
Tensor Tensor::relu(Loc loc) const { return stepgrad::relu({*this, loc}); }
Tensor Tensor::half(Loc loc) const { return stepgrad::half({*this, loc}); }
Tensor Tensor::bfloat16(Loc loc) const { return stepgrad::bfloat16({*this, loc}); }
Tensor Tensor::clone(Loc loc) const { return stepgrad::clone({*this, loc}); }
Tensor Tensor::max(Loc loc) const { return stepgrad::max({*this, loc}); }
Tensor Tensor::min(Loc loc) const { return stepgrad::min({*this, loc}); }

Tensor Tensor::clamp(Scalar min, Scalar max, Loc loc) const {
  return stepgrad::clamp({*this, loc}, min, max);
}
Tensor Tensor::masked_fill(Arg mask, Scalar value) const {
  return stepgrad::masked_fill({*this, mask.loc}, mask, value);
}
Tensor Tensor::where(Arg mask, Arg other) const {
  return stepgrad::where(mask, {*this, mask.loc}, other);
}
Tensor Tensor::triu(int64_t diagonal, Loc loc) const {
  return stepgrad::triu({*this, loc}, diagonal);
}
Tensor Tensor::tril(int64_t diagonal, Loc loc) const {
  return stepgrad::tril({*this, loc}, diagonal);
}

Tensor Tensor::softmax(int dim, Loc loc) const { return stepgrad::softmax({*this, loc}, dim); }
Tensor Tensor::log_softmax(int dim, Loc loc) const {
  return stepgrad::log_softmax({*this, loc}, dim);
}
Tensor Tensor::cumsum(int dim, Loc loc) const { return stepgrad::cumsum({*this, loc}, dim); }
Tensor Tensor::sum(Dims dims, bool keepdim, Loc loc) const {
  return stepgrad::sum({*this, loc}, dims, keepdim);
}
Tensor Tensor::mean(Dims dims, bool keepdim, Loc loc) const {
  return stepgrad::mean({*this, loc}, dims, keepdim);
}
Tensor Tensor::var(Dims dims, bool keepdim, int64_t correction, Loc loc) const {
  return stepgrad::var({*this, loc}, dims, keepdim, correction);
}
Tensor Tensor::std(Dims dims, bool keepdim, int64_t correction, Loc loc) const {
  return stepgrad::stddev({*this, loc}, dims, keepdim, correction);
}
Tensor Tensor::amax(int dim, bool keepdim, Loc loc) const {
  return stepgrad::amax({*this, loc}, dim, keepdim);
}
Tensor Tensor::amin(int dim, bool keepdim, Loc loc) const {
  return stepgrad::amin({*this, loc}, dim, keepdim);
}
ValuesAndIndices Tensor::max(int dim, bool keepdim, Loc loc) const {
  return stepgrad::max({*this, loc}, dim, keepdim);
}
ValuesAndIndices Tensor::min(int dim, bool keepdim, Loc loc) const {
  return stepgrad::min({*this, loc}, dim, keepdim);
}
Tensor Tensor::argmax(Loc loc) const { return stepgrad::argmax({*this, loc}); }
Tensor Tensor::argmax(int dim, bool keepdim, Loc loc) const {
  return stepgrad::argmax({*this, loc}, dim, keepdim);
}
Tensor Tensor::argmin(Loc loc) const { return stepgrad::argmin({*this, loc}); }
Tensor Tensor::argmin(int dim, bool keepdim, Loc loc) const {
  return stepgrad::argmin({*this, loc}, dim, keepdim);
}
ValuesAndIndices Tensor::topk(int64_t k, int dim, bool largest, Loc loc) const {
  return stepgrad::topk({*this, loc}, k, dim, largest);
}

Tensor Tensor::gather(int dim, Arg index) const {
  return stepgrad::gather({*this, index.loc}, dim, index);
}
Tensor Tensor::select(int dim, int64_t i, Loc loc) const {
  return stepgrad::select({*this, loc}, dim, i);
}
Tensor Tensor::slice(int dim, int64_t begin, int64_t end, Loc loc) const {
  return stepgrad::slice({*this, loc}, dim, begin, end);
}
std::vector<Tensor> Tensor::split(int64_t size, int dim, Loc loc) const {
  return stepgrad::split({*this, loc}, size, dim);
}
std::vector<Tensor> Tensor::split(const std::vector<int64_t>& sizes, int dim, Loc loc) const {
  return stepgrad::split({*this, loc}, sizes, dim);
}
std::vector<Tensor> Tensor::chunk(int64_t chunks, int dim, Loc loc) const {
  return stepgrad::chunk({*this, loc}, chunks, dim);
}

Tensor Tensor::reshape(const Shape& shape, Loc loc) const {
  return stepgrad::reshape({*this, loc}, shape);
}
Tensor Tensor::view(const Shape& shape, Loc loc) const {
  return stepgrad::reshape({*this, loc}, shape);
}
Tensor Tensor::unsqueeze(int dim, Loc loc) const { return stepgrad::unsqueeze({*this, loc}, dim); }
Tensor Tensor::squeeze(int dim, Loc loc) const { return stepgrad::squeeze({*this, loc}, dim); }
Tensor Tensor::expand(const Shape& shape, Loc loc) const {
  return stepgrad::expand({*this, loc}, shape);
}
Tensor Tensor::repeat(const Shape& times, Loc loc) const {
  return stepgrad::repeat({*this, loc}, times);
}
Tensor Tensor::transpose(int dim0, int dim1, Loc loc) const {
  return stepgrad::transpose({*this, loc}, dim0, dim1);
}
Tensor Tensor::t(Loc loc) const { return stepgrad::t({*this, loc}); }
Tensor Tensor::permute(Dims dims, Loc loc) const { return stepgrad::permute({*this, loc}, dims); }

}
