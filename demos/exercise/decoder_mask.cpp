// Exercise: the mask of a decoder: nobody looks at what comes later
// Hint: Row i is the position that looks, column j the one that it looks at. Which j come later
// than i?
// Where: triu(x, k) keeps what is on the k-th diagonal and above; the 0th goes through [0, 0].
#include "demos/exercise/exercise.hpp"

namespace stepgrad::exercise {

// [n, n]: 1 where position i must not look at position j, else 0
Tensor decoder_mask(int64_t n) {
  //> make the mask
  return triu(Tensor::ones({n, n}), 1);
  //< return Tensor::zeros({n, n});
}

}  // namespace stepgrad::exercise
