#include "demos/parts/sequence_feed_forward.hpp"

#include <cmath>

#include "nn/init.hpp"
#include "ops/ops.hpp"

namespace stepgrad::demo {

// Uniform within ±1/√n, as in Linear.
static Tensor parameter(const Shape& shape, int64_t n) {
  const Scalar bound = 1 / std::sqrt(Scalar(n));
  return nn::uniform_(Tensor::empty(shape), -bound, bound).requires_grad_();
}

SequenceFeedForward::SequenceFeedForward(int64_t n, int64_t ratio, double dropout)
    : w1(parameter({n, n * ratio}, n)),
      b1(parameter({n * ratio}, n)),
      w2(parameter({n * ratio, n}, n * ratio)),
      b2(parameter({n}, n * ratio)),
      dropout(dropout) {
  const Tensor not_later = Tensor::ones({n, n}).triu();  // [i, t]: i <= t
  seen1 = not_later.unsqueeze(2).expand({n, n, ratio}).reshape({n, n * ratio});
  seen2 = not_later.unsqueeze(1).expand({n, ratio, n}).reshape({n * ratio, n});
}

Tensor SequenceFeedForward::forward(Tensor x) {
  x = x.transpose(1, 2);                    // [batch, d_model, n]
  x = relu(matmul(x, w1 * seen1) + b1);     // [batch, d_model, n * ratio]
  x = matmul(dropout(x), w2 * seen2) + b2;  // [batch, d_model, n]
  return x.transpose(1, 2);
}

}
