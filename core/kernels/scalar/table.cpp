#include "core/kernels/scalar/scalar.hpp"
#include "core/kernels/tables.hpp"

namespace stepgrad::kernels {

const Table* scalar_table() {
  using namespace scalar;
  static constexpr Table table{
      .name = "scalar",
      .add = add,
      .sub = sub,
      .mul = mul,
      .div = div,
      .pow = pow,
      .eq = eq,
      .gt = gt,
      .lt = lt,
      .neg = neg,
      .relu = relu,
      .exp = exp,
      .log = log,
      .sqrt = sqrt,
      .tanh = tanh,
      .sigmoid = sigmoid,
      .erf = erf,
      .trunc = trunc,
      .gelu = gelu,
      .gelu_tanh = gelu_tanh,
      .silu = silu,
      .bfloat16 = bfloat16,
      .half = half,
      .gelu_grad = gelu_grad,
      .gelu_tanh_grad = gelu_tanh_grad,
      .silu_grad = silu_grad,
      .clamp = clamp,
      .clamp_grad = clamp_grad,
      .relu_grad = relu_grad,
      .masked_fill = masked_fill,
      .where = where,
      .fill = fill,
      .copy = copy,
      .sum = sum,
      .amax = amax,
      .matmul = {matmul, matmul_nt, matmul_tn},
      .bf16_matmul = {bf16_matmul, bf16_matmul_nt, bf16_matmul_tn},
      .softmax = softmax,
      .softmax_grad = softmax_grad,
      .log_softmax = log_softmax,
      .log_softmax_grad = log_softmax_grad,
      .normalize = normalize,
      .normalize_grad = normalize_grad,
      .gather = gather,
      .scatter_add = scatter_add,
      .uniform = uniform,
      .dropout_mask = dropout_mask,
      .feed_forward = {feed_forward, feed_forward_saved, feed_forward_grad},
      .bf16_feed_forward = {bf16_feed_forward, feed_forward_saved, bf16_feed_forward_grad},
      .adamw = adamw,
      .peak = peak,
  };
  return &table;
}

}  // namespace stepgrad::kernels
