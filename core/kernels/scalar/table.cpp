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
      .eq = eq,
      .gt = gt,
      .lt = lt,
      .neg = neg,
      .relu = relu,
      .clamp = clamp,
      .clamp_grad = clamp_grad,
      .relu_grad = relu_grad,
      .masked_fill = masked_fill,
      .fill = fill,
      .copy = copy,
      .sum = sum,
      .matmul = matmul,
      .matmul_nt = matmul_nt,
      .matmul_tn = matmul_tn,
      .log_softmax = log_softmax,
      .log_softmax_grad = log_softmax_grad,
      .gather = gather,
      .scatter_add = scatter_add,
      .uniform = uniform,
      .dropout_mask = dropout_mask,
      .adamw = adamw,
  };
  return &table;
}

}  // namespace stepgrad::kernels
