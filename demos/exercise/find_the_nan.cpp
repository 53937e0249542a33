// Exercise: find the NaN: the gradient of the length of a row of zeros
// Hint: At 0 the root is infinitely steep, and infinity times 0 is NaN. set_detect_nan(true), or
// set_detect_anomaly(True) in Python, names an op; which gradient comes first?
// Where: choose before the root: where the squares are 0, let it take the root of 1, and
// multiply by 0 afterwards. A little number added below the root changes every length.
#include "demos/exercise/exercise.hpp"

namespace stepgrad::exercise {

// The op whose gradient is the first that is not finite: "mul", "sum" or "sqrt".
std::string first_not_finite() {
  //> name it
  return "sqrt";
  //< return "";
}

// The length of each row, x: [n, d], as [n]. A row of zeros has length 0, and shall have gradient
// 0.
Tensor lengths(const Tensor& x) {
  //> mend it: no gradient may be NaN, and no length may change
  const Tensor squares = sum(x * x, -1);
  return sqrt(where(squares, squares, 1)) * gt(squares, 0);
  //< return sqrt(sum(x * x, -1));
}

}  // namespace stepgrad::exercise
