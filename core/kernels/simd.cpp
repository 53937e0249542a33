// The vector kernels: one source, compiled once for each instruction set. STEPGRAD_SIMD_ARCH says
// which (avx512, avx2, sse2 or neon), and the compiler's flags say the same.
#include "core/kernels/simd/copy.hpp"
#include "core/kernels/simd/elementwise.hpp"
#include "core/kernels/simd/matmul.hpp"
#include "core/kernels/simd/optimizer.hpp"
#include "core/kernels/simd/random.hpp"
#include "core/kernels/simd/reduce.hpp"
#include "core/kernels/simd/rows.hpp"
#include "core/kernels/tables.hpp"

#define STEPGRAD_JOIN(a, b) a##b
#define STEPGRAD_TABLE_OF(arch) STEPGRAD_JOIN(arch, _table)
#define STEPGRAD_TEXT(a) #a
#define STEPGRAD_NAME_OF(arch) STEPGRAD_TEXT(arch)

namespace stepgrad::kernels {

const Table* STEPGRAD_TABLE_OF(STEPGRAD_SIMD_ARCH)() {
  static constexpr Table table = {
      .name = STEPGRAD_NAME_OF(STEPGRAD_SIMD_ARCH),
      .add = binary<Add>,
      .sub = binary<Sub>,
      .mul = binary<Mul>,
      .div = binary<Div>,
      .eq = binary<Equal>,
      .gt = binary<Greater>,
      .lt = binary<Less>,
      .neg = unary<Negate>,
      .relu = unary<Relu>,
      .clamp = clamp,
      .clamp_grad = clamp_grad,
      .relu_grad = relu_grad,
      .masked_fill = masked_fill,
      .fill = fill,
      .copy = copy,
      .sum = sum,
      .matmul = multiply<Form::nn>,
      .matmul_nt = multiply<Form::nt>,
      .matmul_tn = multiply<Form::tn>,
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
