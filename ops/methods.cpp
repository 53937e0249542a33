// The ops as methods: x.matmul(w) is matmul(x, w). Those in place stand with their ops.
#include "ops/ops.hpp"

namespace stepgrad {

bool Tensor::allclose(Arg other, double rtol, double atol) const {
  return stepgrad::allclose({*this, other.loc}, other, rtol, atol);
}

Tensor Tensor::masked_fill(Arg mask, Scalar value) const {
  return stepgrad::masked_fill({*this, mask.loc}, mask, value);
}
Tensor Tensor::where(Arg mask, Arg other) const { return stepgrad::where(mask, {*this, mask.loc}, other); }

Tensor Tensor::std(Dims dims, bool keepdim, int64_t correction, Loc loc) const {
  return stepgrad::stddev({*this, loc}, dims, keepdim, correction);
}

Tensor Tensor::gather(int dim, Arg index) const { return stepgrad::gather({*this, index.loc}, dim, index); }

Tensor Tensor::view(const Shape& shape, Loc loc) const { return stepgrad::reshape({*this, loc}, shape); }

// clang-format off
#define RETURNS(Result, op, in, ...) \
  Result Tensor::op in const { return stepgrad::op({*this, loc}, __VA_ARGS__); }
#define METHOD(op, ...) RETURNS(Tensor, op, __VA_ARGS__)
#define OF_ONE(op) Tensor Tensor::op(Loc loc) const { return stepgrad::op({*this, loc}); }
#define OF_SHAPE(op) METHOD(op, (const Shape& shape, Loc loc), shape)
#define OF_DIM(op) METHOD(op, (int dim, Loc loc), dim)
#define ALONG(Result, op) RETURNS(Result, op, (int dim, bool keepdim, Loc loc), dim, keepdim)
#define OF_TWO(op) Tensor Tensor::op(Arg b) const { return stepgrad::op({*this, b.loc}, b); }
OF_ONE(neg)
OF_ONE(abs)
OF_ONE(exp)
OF_ONE(log)
OF_ONE(sqrt)
OF_ONE(tanh)
OF_ONE(sigmoid)
OF_ONE(erf)
OF_ONE(trunc)
OF_ONE(relu)
OF_ONE(half)
OF_ONE(bfloat16)
OF_ONE(clone)
OF_ONE(max)
OF_ONE(min)
OF_ONE(argmax)
OF_ONE(argmin)
OF_ONE(t)
OF_TWO(add)
OF_TWO(sub)
OF_TWO(mul)
OF_TWO(div)
OF_TWO(maximum)
OF_TWO(minimum)
OF_TWO(matmul)
OF_TWO(eq)
OF_TWO(ne)
OF_TWO(lt)
OF_TWO(le)
OF_TWO(gt)
OF_TWO(ge)
OF_TWO(pow)
ALONG(Tensor, amax)
ALONG(Tensor, amin)
ALONG(ValuesAndIndices, max)
ALONG(ValuesAndIndices, min)
ALONG(Tensor, argmax)
ALONG(Tensor, argmin)
OF_DIM(softmax)
OF_DIM(log_softmax)
OF_DIM(cumsum)
OF_DIM(unsqueeze)
OF_DIM(squeeze)
METHOD(clamp, (Scalar min, Scalar max, Loc loc), min, max)
METHOD(triu, (int64_t diagonal, Loc loc), diagonal)
METHOD(tril, (int64_t diagonal, Loc loc), diagonal)
METHOD(sum, (Dims dims, bool keepdim, Loc loc), dims, keepdim)
METHOD(mean, (Dims dims, bool keepdim, Loc loc), dims, keepdim)
METHOD(var, (Dims dims, bool keepdim, int64_t less, Loc loc), dims, keepdim, less)
RETURNS(ValuesAndIndices, topk, (int64_t k, int dim, bool largest, Loc loc), k, dim, largest)
METHOD(select, (int dim, int64_t i, Loc loc), dim, i)
METHOD(slice, (int dim, int64_t begin, int64_t end, Loc loc), dim, begin, end)
RETURNS(Tensors, split, (int64_t size, int dim, Loc loc), size, dim)
RETURNS(Tensors, split, (const std::vector<int64_t>& n, int dim, Loc loc), n, dim)
RETURNS(Tensors, chunk, (int64_t chunks, int dim, Loc loc), chunks, dim)
OF_SHAPE(reshape)
OF_SHAPE(expand)
OF_SHAPE(repeat)
METHOD(transpose, (int dim0, int dim1, Loc loc), dim0, dim1)
METHOD(permute, (Dims dims, Loc loc), dims)
// clang-format on
#undef RETURNS
#undef METHOD
#undef OF_ONE
#undef OF_SHAPE
#undef OF_DIM
#undef OF_TWO
#undef ALONG

}
