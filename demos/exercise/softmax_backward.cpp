// Exercise: the gradient of softmax, SoftmaxBackward
// Hint: All of a row changes with each of its elements, for its sum stays 1. If dY is the same
// all over a row, nothing changes: so only what differs from a mean of dY counts, in which each
// element weighs what its Y is.
// Where: first the mean: dY times Y, summed over a row, [.., 1]. What is left of dY is
// multiplied by Y.
#include "demos/exercise/exercise.hpp"

namespace stepgrad::exercise {

// Y = softmax(X) along the last dimension
struct MySoftmaxBackward final : Node {
  static constexpr Formula formula{"my_softmax", "Y = exp(X) / Σ exp(X)", "dX = ?"};
  MySoftmaxBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    //> give x its gradient. Y is saved below; sum(x, -1, true) is the sum of each row, [.., 1]
    x.add_grad(Y * (dY - sum(dY * Y, -1, true)));
    //<
  }
  Input x{this};
  Saved Y{this, "Y"};
};

Tensor my_softmax(Arg x) {
  auto node = record<MySoftmaxBackward>(x);
  const NoGrad no_grad;
  const Tensor y = softmax(x.tensor, -1);
  if (node) node->Y = y;
  return on_tape(y, std::move(node));
}

}  // namespace stepgrad::exercise
