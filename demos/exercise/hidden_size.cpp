// Exercise: 001, 실습 2: how wide may each feed-forward be?
// Hint: Count the numbers in each matrix and each bias. SwiGLU has three matrices and no biases.
// Where: two matrices of d_model times d_ff, a bias of d_ff and one of d_model. Whole numbers
// are divided downwards.
#include "demos/exercise/exercise.hpp"

namespace stepgrad::exercise {

// How many parameters max(0, x·W1 + b1)·W2 + b2 has.
int64_t parameters(int64_t d_model, int64_t d_ff) {
  //> count them
  return 2 * d_model * d_ff + d_ff + d_model;
  //< return d_model * d_ff;
}

// The largest width of a SwiGLU that has no more of them.
int64_t swiglu_width(int64_t d_model, int64_t d_ff) {
  //> use parameters()
  return parameters(d_model, d_ff) / (3 * d_model);
  //< return d_ff;
}

}  // namespace stepgrad::exercise
