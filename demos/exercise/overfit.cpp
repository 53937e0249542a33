// Exercise: overfit: a block learns one batch by heart
// Hint: What cannot learn one batch by heart has a mistake in it. A step is: no old gradients,
// forward, loss, backward, and the optimizer's step.
// Where: AdamW with 0.01 will do; a loop over zero_grad(), the mean of (y - target)²,
// backward(), step().
#include "demos/exercise/exercise.hpp"

namespace stepgrad::exercise {

// Trains the parameters so that mean((block(x) - target)²) is below 0.01, in 300 calls of block.
void overfit(const Part& block, const Tensors& parameters, const Tensor& x, const Tensor& target) {
  //> train
  nn::AdamW optimizer(parameters, 0.01);
  for (int step = 0; step < 300; ++step) {
    optimizer.zero_grad();
    const Tensor wrong_by = block(x) - target;
    mean(wrong_by * wrong_by).backward();
    optimizer.step();
  }
  //<
}

}  // namespace stepgrad::exercise
