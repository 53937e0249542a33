#include "nn/attention_masks.hpp"

#include "core/check.hpp"
#include "core/tape/modes.hpp"
#include "ops/triu.hpp"

namespace stepgrad::nn {

Tensor get_attn_pad_mask(const Tensor& seq_q, const Tensor& seq_k, int64_t i_pad, Loc loc) {
  const ModuleCall call(loc);
  check_operands("get_attn_pad_mask", Arg(seq_q), Arg(seq_k));
  check<ShapeError>(seq_q.dim() == 2 && seq_k.dim() == 2 && seq_q.size(0) == seq_k.size(0),
      "get_attn_pad_mask: ", seq_q.shape(), " and ", seq_k.shape(), " are not [batch, n] of one batch");
  const int64_t batch = seq_q.size(0), n_q = seq_q.size(1), n_k = seq_k.size(1);
  return seq_k.eq(i_pad).unsqueeze(1).expand({batch, n_q, n_k});
}

Tensor get_attn_decoder_mask(const Tensor& seq, Loc loc) {
  const ModuleCall call(loc);
  check_operands("get_attn_decoder_mask", Arg(seq));
  check<ShapeError>(seq.dim() == 2, "get_attn_decoder_mask: ", seq.shape(), " is not [batch, n]");
  const int64_t batch = seq.size(0), n = seq.size(1);
  return ones_like(seq).unsqueeze(-1).expand({batch, n, n}).triu(1);
}

}
