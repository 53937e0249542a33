// The vector kernels: one source, compiled once for each instruction set. STEPGRAD_SIMD_ARCH says
// which (avx512, avx2, sse2 or neon), and the compiler's flags say the same.
#include "core/kernels/simd/copy.hpp"
#include "core/kernels/simd/elementwise.hpp"
#include "core/kernels/simd/feed_forward.hpp"
#include "core/kernels/simd/feed_forward_grad.hpp"
#include "core/kernels/simd/functions.hpp"
#include "core/kernels/simd/matmul.hpp"
#include "core/kernels/simd/optimizer.hpp"
#include "core/kernels/simd/peak.hpp"
#include "core/kernels/simd/pow.hpp"
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
      .pow = binary<Pow>,
      .eq = binary<Equal>,
      .gt = binary<Greater>,
      .lt = binary<Less>,
      .neg = unary<Negate>,
      .relu = unary<Relu>,
      .exp = unary<Exp>,
      .log = unary<Log>,
      .sqrt = unary<Sqrt>,
      .tanh = unary<Tanh>,
      .sigmoid = unary<Sigmoid>,
      .erf = unary<Erf>,
      .trunc = unary<Trunc>,
      .gelu = unary<Gelu>,
      .gelu_tanh = unary<GeluTanh>,
      .silu = unary<Silu>,
      .bfloat16 = unary<BFloat16>,
      .half = unary<Half>,
      .gelu_grad = unary_grad<GeluGrad>,
      .gelu_tanh_grad = unary_grad<GeluTanhGrad>,
      .silu_grad = unary_grad<SiluGrad>,
      .clamp = clamp,
      .clamp_grad = clamp_grad,
      .relu_grad = relu_grad,
      .masked_fill = masked_fill,
      .where = where,
      .fill = fill,
      .copy = copy,
      .sum = sum,
      .amax = amax,
      .matmul = {multiply<Fp32, Form::nn>, multiply<Fp32, Form::nt>, multiply<Fp32, Form::tn>},
      .bf16_matmul = {multiply<Bf16, Form::nn>, multiply<Bf16, Form::nt>, multiply<Bf16, Form::tn>},
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
      .feed_forward = {feed_forward<Fp32>, feed_forward_saved<Fp32>, feed_forward_grad<Fp32>},
      .bf16_feed_forward = {feed_forward<Bf16>, feed_forward_saved<Bf16>, feed_forward_grad<Bf16>},
      .adamw = adamw,
      .peak = peak,
  };
  return &table;
}

}  // namespace stepgrad::kernels
