// The products of bfloat16s by the CPU's own instruction for them, vdpbf16ps. Compiled for AVX-512
// and AVX512_BF16; everything else is the AVX-512 table's.
#include "core/kernels/simd/feed_forward.hpp"
#include "core/kernels/simd/feed_forward_grad.hpp"
#include "core/kernels/tables.hpp"

namespace stepgrad::kernels {

static Table with_bf16(Table table) {
  table.name = "avx512_bf16";
  table.bf16_matmul = {multiply<Bf16, Form::nn>, multiply<Bf16, Form::nt>,
                       multiply<Bf16, Form::tn>};
  table.bf16_feed_forward = {feed_forward<Bf16>, feed_forward_saved<Bf16>, feed_forward_grad<Bf16>};
  return table;
}

const Table* avx512_bf16_table() {
  static const Table table = with_bf16(*avx512_table());
  return &table;
}

}  // namespace stepgrad::kernels
