// Exercise: the position-wise feed-forward network, FFN(x) = max(0, x·W1 + b1)·W2 + b2
// Hint: three lines: matmul and a sum, clamp(.., 0), matmul and a sum. The biases broadcast.
#include "demos/exercise/check.hpp"

namespace feed_forward {

struct FeedForward : nn::Module<FeedForward> {
  FeedForward(int64_t d_model, int64_t d_ff)
      : w1(Tensor::randn({d_model, d_ff}).requires_grad_()),
        b1(Tensor::randn({d_ff}).requires_grad_()),
        w2(Tensor::randn({d_ff, d_model}).requires_grad_()),
        b2(Tensor::randn({d_model}).requires_grad_()) {}

  // x: [batch, length, d_model], and so is what it returns
  Tensor forward(Tensor x) {
    //> compute FFN(x)
    x = matmul(x, w1) + b1;
    return matmul(clamp(x, 0), w2) + b2;
    //< return x;
  }

  template <class Visit>
  void parts(Visit visit) {
    visit("w1", w1), visit("b1", b1), visit("w2", w2), visit("b2", b2);
  }

  Tensor w1, b1, w2, b2;
};

EXERCISE(feed_forward) {
  FeedForward ffn(3, 5);
  nn::PositionwiseFeedForward wanted(3, 5, 0);
  wanted.w1 = ffn.w1, wanted.b1 = ffn.b1, wanted.w2 = ffn.w2, wanted.b2 = ffn.b2;
  const Tensor x = Tensor::randn({2, 4, 3});
  check_values("FFN(x)", ffn(x), wanted(x));
  check_gradients("FFN", [&](const Tensors& in) { return ffn(in[0]); }, {x});
}

}  // namespace feed_forward
