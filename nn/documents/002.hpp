#pragma once

#include "nn/attention_masks.hpp"
#include "nn/multi_head_attention.hpp"
#include "nn/position_embedding.hpp"
#include "nn/poswise_feed_forward_net.hpp"

// The classes of "Transformer (Attention Is All You Need) 구현하기 (1/3)"; nn:: uses the same
// names.
//   using namespace stepgrad::nn::document_002;
namespace stepgrad::nn::document_002 {

using nn::get_attn_decoder_mask;
using nn::get_attn_pad_mask;
using nn::get_sinusoid_encoding_table;
using nn::MultiHeadAttention;
using nn::PoswiseFeedForwardNet;
using nn::ScaledDotProductAttention;

}
