// Products of bfloat16s by the CPU's instruction vdpbf16ps. The rest is the AVX-512 table.
#include "core/kernels/simd/feed_forward_grad.hpp"
#include "core/kernels/tables.hpp"

namespace stepgrad::kernels {

const Table* avx512_bf16_table() {
  static const Table table = [] {
    Table t = *avx512_table();
    t.name = "avx512_bf16";
    t.bf16_matmul = products<Bf16>;
    t.bf16_feed_forward = layer<Bf16>;
    return t;
  }();
  return &table;
}

}  // namespace stepgrad::kernels
