// Exercise: the gradient of a sum with broadcasting, AddBackward
// Hint: A number that was broadcast stands in many elements of Y, and each of them sends its
// gradient back. It is one number: what becomes of them?
// Where: first the leading dimensions that `shape` has not; then each dimension in which it has
// size 1, which stays there: sum(x, dim, true).
#include "demos/exercise/exercise.hpp"

namespace stepgrad::exercise {

// Y = A + B: the gradient of A, which has `shape` and was broadcast to dY's.
Tensor summed_to(Tensor dY, const Shape& shape) {
  //> sum dY over what was broadcast, down to `shape`. shape.dims() is how many dimensions it has
  while (dY.dim() > shape.dims()) dY = sum(dY, 0);
  for (int dim = 0; dim < shape.dims(); ++dim)
    if (shape[dim] == 1) dY = sum(dY, dim, true);
  return dY;
  //< return dY;
}

}  // namespace stepgrad::exercise
