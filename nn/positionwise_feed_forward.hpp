#pragma once

#include "nn/dropout.hpp"
#include "nn/relu.hpp"

namespace stepgrad::nn {

// FFN(x) = max(0, x·W₁ + b₁)·W₂ + b₂, with dropout on the hidden layer (Vaswani et al. 2017, 3.3).
// Every position x[.., :] goes through the same weights, independently of the others.
//
//   x: [.., d_model]   w1: [d_model, d_ff]   b1: [d_ff]   w2: [d_ff, d_model]   b2: [d_model]
//
// The weights are initialised normal with variance 1/d_model and 1/d_ff, the biases zero.
struct PositionwiseFeedForward : Module<PositionwiseFeedForward> {
  // ValueError: a size that is not positive, or dropout_p not in [0, 1).
  PositionwiseFeedForward(
      int64_t d_model, int64_t d_ff, double dropout_p = 0.1, bool bias = true, OpCall = Loc::here());

  Tensor forward(Tensor x);  // ValueError: the last size is not d_model

  void parts(auto visit) {
    visit("w1", w1), visit("w2", w2), visit("b1", b1), visit("b2", b2);
    visit("activation", activation), visit("dropout", dropout);
  }

  int64_t d_model, d_ff;
  bool training = true;
  bool bias;
  Tensor w1, b1, w2, b2;  // b1 and b2 are undefined without bias
  ReLU activation;
  Dropout dropout;

 private:
  [[noreturn]] void refuse(const Shape& x) const;
};

}
