// Exercise: dropout, in training and in evaluation
// Hint: what stays is divided by the probability to stay, so that the mean stays what it was.
#include "demos/exercise/check.hpp"

namespace dropout {

// x: any shape    mask: of x's shape, 1 where an element stays    p: the probability to be dropped
Tensor drop(const Tensor& x, const Tensor& mask, double p, bool training) {
  //> in training, drop; in evaluation, x is as it was
  return training ? x * mask / (1 - p) : x;
  //< return x;
}

EXERCISE(dropout) {
  const Tensor x = Tensor::of({1, 2, 3, 4}), mask = Tensor::of({1, 0, 1, 0});
  check_values("in training", drop(x, mask, 0.5, true), Tensor::of({2, 0, 6, 0}));
  check_values("with p = 0.2", drop(x, mask, 0.2, true), Tensor::of({1.25, 0, 3.75, 0}));
  check_values("in evaluation", drop(x, mask, 0.5, false), x);
}

}  // namespace dropout
