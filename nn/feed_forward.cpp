#include "nn/feed_forward.hpp"

#include "core/tape/modes.hpp"
#include "ops/fused_feed_forward.hpp"
#include "ops/permute.hpp"

namespace stepgrad::nn {

FeedForward::FeedForward(int64_t d_model, int64_t d_ff, double dropout, Activation activation, OpCall)
    : w_1(d_model, d_ff), w_2(d_ff, d_model), dropout(dropout), activation(activation) {
  name_parameters();
}

// The fused op needs both weights transposed, which pays off from this many rows on.
static bool worth_fusing(const Tensor& x, int64_t d_model) { return x.shape().rows() >= 8 * d_model; }

Tensor FeedForward::forward(Tensor x) {
  const Tensor &w1 = w_1.weight, &w2 = w_2.weight, &b1 = w_1.bias, &b2 = w_2.bias;
  if (fused_ops() && !modes.cast && activation == relu && worth_fusing(x, w1.size(1)))
    return fused_feed_forward(x, t(w1), b1, t(w2), b2, dropout.training ? dropout.p : 0, true);
  x = w_1(x);  // [.., d_ff]
  x = activation(x);
  x = dropout(x);
  return w_2(x);  // [.., d_model]
}

}
