// The products of bfloat16s by the CPU's own instruction for them, vdpbf16ps. Everything else is
// the AVX-512 table's.
#include "core/kernels/simd/feed_forward_grad.hpp"
#include "core/kernels/tables.hpp"

namespace stepgrad::kernels {

const Table* avx512_bf16_table() {
  static const Table table = [] {
    Table t = *avx512_table();
    t.name = "avx512_bf16";
    t.bf16_matmul = {multiply<Bf16, Form::nn>, multiply<Bf16, Form::nt>, multiply<Bf16, Form::tn>};
    t.bf16_feed_forward = {feed_forward<Bf16>, feed_forward_saved<Bf16>, feed_forward_grad<Bf16>};
    return t;
  }();
  return &table;
}

}  // namespace stepgrad::kernels
