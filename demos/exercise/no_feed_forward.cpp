// Exercise: 001, 실습 3: a block with and without its feed-forward
// Hint: Each part's result is added to what went into it, and the sum is normalised. Without a
// feed-forward half of that is left.
// Where: x = norm1(x + ...), and with an ffn the same for the new x, with
// norm2.
#include "demos/exercise/exercise.hpp"

namespace stepgrad::exercise {

// x: [n, d]. attend, ffn, norm1, norm2: functions from [n, d] to [n, d]; ffn may be empty (null)
Tensor block(Tensor x, const Part& attend, const Part& ffn, const Part& norm1, const Part& norm2) {
  //> add and normalise, once or twice
  x = norm1(x + attend(x));
  return ffn ? norm2(x + ffn(x)) : x;
  //< return x;
}

}  // namespace stepgrad::exercise
