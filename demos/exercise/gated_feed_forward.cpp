// Exercise: 001, 실습 1: SwiGLU, (silu(x·Wg) ∘ (x·Wv))·Wo
// Hint: silu(x) = x·sigmoid(x). The gate and the value are products of the same x; only one of
// them goes through silu.
// Where: one line: the product of two factors, each [n, d_ff], times out.
#include "demos/exercise/exercise.hpp"

namespace stepgrad::exercise {

// x: [n, d_model]   gate, value: [d_model, d_ff]   out: [d_ff, d_model]
Tensor swiglu(const Tensor& x, const Tensor& gate, const Tensor& value, const Tensor& out) {
  //> compute it
  return matmul(silu(matmul(x, gate)) * matmul(x, value), out);
  //< return x;
}

}  // namespace stepgrad::exercise
