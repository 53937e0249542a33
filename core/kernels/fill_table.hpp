#pragma once

#include "core/kernels/table.hpp"

// The one list that fills a table: each member with the kernel of its name. scalar/table.cpp and
// simd.cpp include it, each behind kernels of its own.
namespace stepgrad::kernels {

static constexpr Table filled_table(const char* name) {
  return {
      .name = name,
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
      .matmul = matmul_kernels,
      .bf16_matmul = bf16_matmul_kernels,
      .softmax = softmax,
      .softmax_grad = softmax_grad,
      .log_softmax = log_softmax,
      .log_softmax_grad = log_softmax_grad,
      .layer_norm = layer_norm,
      .layer_norm_grad = layer_norm_grad,
      .index_select = index_select,
      .index_add = index_add,
      .uniform = uniform,
      .dropout_mask = dropout_mask,
      .feed_forward = feed_forward_kernels,
      .bf16_feed_forward = bf16_feed_forward_kernels,
      .attention = attention_kernels,
      .adamw = adamw,
      .peak = peak,
  };
}

}  // namespace stepgrad::kernels
