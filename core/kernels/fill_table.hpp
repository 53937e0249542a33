#pragma once

#include "core/kernels/table.hpp"

// Fills each member of a table with the kernel of its name. scalar/table.cpp and simd.cpp each
// include it after their own kernels.
namespace stepgrad::kernels {

static constexpr Table filled_table(const char* name) {
  return {
      .name = name,
#define STEPGRAD_KERNEL(Type, kernel) .kernel = (kernel),
#include "core/kernels/elementwise.inc"
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
      .attention = attention_kernels,
      .adamw = adamw,
  };
}

}
