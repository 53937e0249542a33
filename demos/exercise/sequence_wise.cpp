// Exercise: 001, 실습 4: along the sequence instead of along the features
// Hint: transpose(x, 1, 2) makes rows of the features; the same network then mixes positions; and
// back.
#include "demos/exercise/check.hpp"

namespace sequence_wise {

// x: [batch, length, d_model]. ffn: from [.., length] to [.., length], at each row by itself
Tensor sequence_wise(const Tensor& x, const std::function<Tensor(Tensor)>& ffn) {
  //> let ffn go along the sequence, at each feature by itself
  return ffn(x.transpose(1, 2)).transpose(1, 2);
  //< return x;
}

EXERCISE(sequence_wise) {
  const Tensor x = Tensor::randn({2, 5, 3}), w = Tensor::randn({5, 5});
  const auto ffn = [&](Tensor rows) { return matmul(rows, w); };
  const Tensor y = sequence_wise(x, ffn);
  check_shape("the output", y, {2, 5, 3});
  check_values("the output", y, matmul(expand(w.transpose(0, 1), {2, 5, 5}), x));
}

}  // namespace sequence_wise
