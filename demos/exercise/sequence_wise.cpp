// Exercise: 001, 실습 4: along the sequence, not along the features
// Hint: The network takes rows. Which dimensions must change places so that a row has one
// feature of all positions? And afterwards?
// Where: x.transpose(1, 2) before ffn and after it.
#include "demos/exercise/exercise.hpp"

namespace stepgrad::exercise {

// x: [batch, length, d_model]. ffn: from [.., length] to [.., length], at each row by itself
Tensor sequence_wise(const Tensor& x, const Part& ffn) {
  //> let ffn go along the sequence, at each feature by itself
  return ffn(x.transpose(1, 2)).transpose(1, 2);
  //< return x;
}

}  // namespace stepgrad::exercise
