// Exercise: the feed-forward, FFN(x) = max(0, x·W1 + b1)·W2 + b2
// Hint: A layer is a product and a sum; the bias broadcasts. Between the two layers stands a
// clamp.
// Where: three lines: x·W1 + b1, a clamp, and the second layer like the first.
#include "demos/exercise/exercise.hpp"

namespace stepgrad::exercise {

// x: [.., d_model]   w1: [d_model, d_ff]   b1: [d_ff]   w2: [d_ff, d_model]   b2: [d_model]
Tensor feed_forward(Tensor x, const Tensor& w1, const Tensor& b1, const Tensor& w2,
                    const Tensor& b2) {
  //> compute FFN(x)
  x = matmul(x, w1) + b1;
  return matmul(clamp(x, 0), w2) + b2;
  //< return x;
}

}  // namespace stepgrad::exercise
