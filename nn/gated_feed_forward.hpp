#pragma once

#include "nn/activation.hpp"
#include "nn/dropout.hpp"
#include "nn/linear.hpp"
#include "ops/gelu.hpp"
#include "ops/silu.hpp"

namespace stepgrad::nn {

// FFN(x) = w_out(dropout(σ(w_gate(x)) ∘ w_value(x))): a gated linear unit. With gelu it is GEGLU
// (Shazeer 2020).        x: [.., d_model]   gate, value: [.., d_ff]
struct GatedFeedForward : Module<GatedFeedForward> {
  // ValueError: a size that is not positive, or dropout not in [0, 1).
  GatedFeedForward(int64_t d_model, int64_t d_ff, double dropout = 0.1, Activation activation = gelu, bool bias = true,
      OpCall = Loc::here());

  Tensor forward(Tensor x);  // ShapeError: the last size is not d_model

  void parts(auto visit) {
    visit("w_gate", w_gate), visit("w_value", w_value), visit("w_out", w_out);
    visit("dropout", dropout);
  }

  Linear w_gate, w_value, w_out;
  Dropout dropout;
  Activation activation;
};

// The same with silu and without biases, as in the paper, PaLM and LLaMA.
struct SwiGLU : GatedFeedForward {
  SwiGLU(int64_t d_model, int64_t d_ff, double p = 0.1, OpCall = Loc::here())
      : GatedFeedForward(d_model, d_ff, p, silu, false) {}
};

}
