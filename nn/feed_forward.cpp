#include "nn/feed_forward.hpp"

namespace stepgrad::nn {

FeedForward::FeedForward(int64_t d_model, int64_t d_ff, double dropout, Activation activation)
    : w_1(d_model, d_ff), w_2(d_ff, d_model), dropout(dropout), activation(activation) {
  name_parameters();
}

Tensor FeedForward::forward(Tensor x) {
  x = w_1(x);  // [.., d_ff]
  x = activation(x);
  x = dropout(x);
  return w_2(x);  // [.., d_model]
}

}  // namespace stepgrad::nn
