// Exercise: gradient descent: each parameter goes against its gradient
// Hint: The step itself must not stand on the tape, and it changes the tensor, not a copy of it.
// What about a parameter that was not used, and so has no gradient?
// Where: a loop over the parameters, inside of no_grad, with a subtraction in place: sub_, or -=
// in Python.
#include "demos/exercise/exercise.hpp"

namespace stepgrad::exercise {

// p ← p - lr·p.grad() for each parameter. Those without a gradient, and all gradients, stay.
void sgd_step(const Tensors& parameters, Scalar lr) {
  //> make the step
  const NoGrad no_grad;
  for (const Tensor& p : parameters)
    if (p.grad().defined()) p.sub_(lr * p.grad());
  //<
}

}  // namespace stepgrad::exercise
