#include "nn/gated_feed_forward.hpp"

#include "ops/mul.hpp"

namespace stepgrad::nn {

GatedFeedForward::GatedFeedForward(int64_t d_model, int64_t d_ff, Scalar dropout,
                                   Activation activation, bool bias)
    : w_gate(d_model, d_ff, bias),
      w_value(d_model, d_ff, bias),
      w_out(d_ff, d_model, bias),
      dropout(dropout),
      activation(activation) {
  name_parameters();
}

Tensor GatedFeedForward::forward(Tensor x) {
  Tensor gate = activation(w_gate(x));
  Tensor value = w_value(std::move(x));
  Tensor gated = std::move(gate) * std::move(value);
  return w_out(dropout(std::move(gated)));
}

}  // namespace stepgrad::nn
