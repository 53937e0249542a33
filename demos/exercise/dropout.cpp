// Exercise: dropout, in training and in evaluation
// Hint: What stays is made larger, so that the mean stays what it was. Which share of the
// elements stays?
// Where: in training three factors: x, the mask, and one over the share that stays.
#include "demos/exercise/exercise.hpp"

namespace stepgrad::exercise {

// x, mask: one shape; mask is 1 where an element stays    p: its chance to be dropped, in [0, 1)
Tensor drop(const Tensor& x, const Tensor& mask, Scalar p, bool training) {
  //> in training, drop; in evaluation, x is as it was
  return training ? x * mask / (1 - p) : x;
  //< return x;
}

}  // namespace stepgrad::exercise
