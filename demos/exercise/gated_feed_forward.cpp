// Exercise: 001, 실습 1: another activation: SwiGLU, (silu(x·Wg) ∘ (x·Wv))·Wo
// Hint: silu(x) = x·sigmoid(x). The gate and the value are products of the same x.
#include "demos/exercise/check.hpp"

namespace gated_feed_forward {

// x: [n, d_model]   gate, value: [d_model, d_ff]   out: [d_ff, d_model]
Tensor swiglu(const Tensor& x, const Tensor& gate, const Tensor& value, const Tensor& out) {
  //> compute it
  return matmul(silu(matmul(x, gate)) * matmul(x, value), out);
  //< return x;
}

EXERCISE(gated_feed_forward) {
  const Tensor x = Tensor::randn({4, 3}), one = Tensor::ones({3, 2});
  const Tensor out = Tensor::of({{1, 0, 0}, {0, 1, 0}});
  const Tensor total = sum(x, -1, true);  // of each row: what a product with ones is
  const Tensor y = total * total / (1 + exp(-total));
  check_values("with ones as weights", swiglu(x, one, one, out), matmul(expand(y, {4, 2}), out));
  check_gradients("swiglu", [](const Tensors& in) { return swiglu(in[0], in[1], in[2], in[3]); },
                  {x, Tensor::randn({3, 2}), Tensor::randn({3, 2}), out});
}

}  // namespace gated_feed_forward
