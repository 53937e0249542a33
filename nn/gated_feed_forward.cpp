#include "nn/gated_feed_forward.hpp"

#include "ops/mul.hpp"

namespace stepgrad::nn {

GatedFeedForward::GatedFeedForward(
    int64_t d_model, int64_t d_ff, double dropout, Activation activation, bool bias, OpCall)
    : w_gate(d_model, d_ff, bias),
      w_value(d_model, d_ff, bias),
      w_out(d_ff, d_model, bias),
      dropout(dropout),
      activation(activation) {
  name_parameters();
}

Tensor GatedFeedForward::forward(Tensor x) {
  const Tensor gated = activation(w_gate(x)) * w_value(x);
  return w_out(dropout(gated));
}

}
