#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad::nn {

// 1 where a query must not look at a key, else 0. Their union, for a decoder, is
//   gt(get_attn_pad_mask(seq, seq) + get_attn_decoder_mask(seq), 0)

// Keys that are padding: [batch, n_q, n_k]           seq_q: [batch, n_q]   seq_k: [batch, n_k]
Tensor get_attn_pad_mask(const Tensor& seq_q, const Tensor& seq_k, int64_t i_pad = 0, Loc loc = Loc::here());

// Keys that come after the query: [batch, n, n]      seq: [batch, n]
Tensor get_attn_decoder_mask(const Tensor& seq, Loc loc = Loc::here());

// ShapeError in both: not [batch, n], or of different batches.

}
