#pragma once

#include "nn/adaptive_feed_forward.hpp"
#include "nn/checkpointed_ffn.hpp"
#include "nn/feed_forward.hpp"
#include "nn/gated_feed_forward.hpp"
#include "nn/init_ffn_weights.hpp"
#include "nn/mixed_precision_ffn.hpp"
#include "nn/moe_feed_forward.hpp"
#include "nn/transformer_block.hpp"

// The classes of "Position-wise Feed-Forward Network" under its names. Its PositionwiseFeedForward
// has two Linear layers, w_1 and w_2; nn::PositionwiseFeedForward is the notebook's.
//   using namespace stepgrad::nn::document_001;
namespace stepgrad::nn::document_001 {

using PositionwiseFeedForward = nn::FeedForward;  // w_1, w_2, dropout
using nn::AdaptiveFeedForward;
using nn::CheckpointedFFN;
using nn::FeedForwardGELU;
using nn::GatedFeedForward;
using nn::init_ffn_weights;
using nn::MixedPrecisionFFN;
using nn::MoEFeedForward;
using nn::SwiGLU;
using nn::TransformerBlock;

}
