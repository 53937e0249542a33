// Exercise: the mask of a decoder: nobody looks at what comes later
// Hint: row i is the position that looks, column j the one that it looks at: 1 where j > i. triu(x,
// 1) keeps what is above the diagonal.
#include "demos/exercise/check.hpp"

namespace decoder_mask {

// [n, n]: 1 where position i must not look at position j, else 0
Tensor decoder_mask(int64_t n) {
  //> make the mask
  return triu(Tensor::ones({n, n}), 1);
  //< return Tensor::zeros({n, n});
}

EXERCISE(decoder_mask) {
  check_values("the mask of 4", decoder_mask(4),
               Tensor::of({{0, 1, 1, 1}, {0, 0, 1, 1}, {0, 0, 0, 1}, {0, 0, 0, 0}}));
  check_values("the mask of 1", decoder_mask(1), Tensor::zeros({1, 1}));
}

}  // namespace decoder_mask
