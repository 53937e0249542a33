// Exercise: 001, 실습 2: the hidden size: how wide may each feed-forward be?
// Hint: two matrices and two biases: 2·d_model·d_ff + d_ff + d_model. SwiGLU has three matrices and
// no biases: of two thirds the width as many.
#include "demos/exercise/check.hpp"

namespace hidden_size {

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

EXERCISE(hidden_size) {
  for (const int64_t ratio : {1, 2, 4, 8}) {
    const int64_t d_ff = 16 * ratio;
    nn::PositionwiseFeedForward ffn(16, d_ff);
    int64_t wanted = 0;
    for (const Tensor& p : ffn.parameters()) wanted += p.numel();
    const auto number = [](int64_t n) { return Tensor::full({}, static_cast<double>(n)); };
    check_values("parameters(16, " + std::to_string(d_ff) + ")", number(parameters(16, d_ff)),
                 number(wanted));
    check_values("swiglu_width(16, " + std::to_string(d_ff) + ")", number(swiglu_width(16, d_ff)),
                 number(wanted / 48));
  }
}

}  // namespace hidden_size
