// The products of bfloat16s by the CPU's own instructions for them: compiled for AVX512_BF16, which
// has vdpbf16ps, and for AMX, which has tiles. Everything else is the AVX-512 table's.
#ifdef STEPGRAD_WITH_AMX
#include "core/kernels/simd/amx.hpp"
#endif
#include "core/kernels/simd/feed_forward.hpp"
#include "core/kernels/simd/feed_forward_grad.hpp"
#include "core/kernels/tables.hpp"

namespace stepgrad::kernels {

template <class E>
static Table with_bf16(const char* name) {
  Table table = *avx512_table();
  table.name = name;
  table.bf16_matmul = {multiply<E, Form::nn>, multiply<E, Form::nt>, multiply<E, Form::tn>};
  table.bf16_feed_forward = {feed_forward<E>, feed_forward_saved<E>, feed_forward_grad<E>};
  return table;
}

#ifdef STEPGRAD_WITH_AMX
const Table* amx_table() {
  static const Table table = with_bf16<AmxBf16>("amx");
  return &table;
}
#else
const Table* avx512_bf16_table() {
  static const Table table = with_bf16<Bf16>("avx512_bf16");
  return &table;
}
#endif

}  // namespace stepgrad::kernels
