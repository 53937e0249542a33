#pragma once

#include "nn/activation.hpp"
#include "nn/dropout.hpp"
#include "nn/linear.hpp"
#include "ops/gelu.hpp"
#include "ops/relu.hpp"

namespace stepgrad::nn {

// FFN(x) = σ(x·W₁ᵀ + b₁)·W₂ᵀ + b₂ with two Linear layers, and dropout on the hidden one (Vaswani et
// al. 2017, 3.3). PositionwiseFeedForward is the same with matrices of its own.
//   x: [.., d_model]   hidden: [.., d_ff]
struct FeedForward : Module<FeedForward> {
  // ValueError: a size that is not positive, or dropout not in [0, 1).
  FeedForward(int64_t d_model, int64_t d_ff, double dropout = 0.1, Activation activation = relu, OpCall = Loc::here());

  Tensor forward(Tensor x);  // ShapeError: the last size is not d_model

  void parts(auto visit) { visit("w_1", w_1), visit("w_2", w_2), visit("dropout", dropout); }

  Linear w_1, w_2;
  Dropout dropout;
  Activation activation;
};

// The same with gelu, as in BERT and GPT.
struct FeedForwardGELU : FeedForward {
  FeedForwardGELU(int64_t d_model, int64_t d_ff, double p = 0.1, OpCall = Loc::here())
      : FeedForward(d_model, d_ff, p, gelu) {}
};

}
