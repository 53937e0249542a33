// Exercise: a tensor that is used twice: the gradient of Y = X + X·W
// Hint: x reaches Y on two ways: around the product, and through it. A small change of x goes
// both ways at once: what happens to the two changes of Y?
// Where: x gets the sum of what comes back on both ways. Around the product nothing is
// multiplied. w is used once, in the product X·W.
#include "demos/exercise/exercise.hpp"

namespace stepgrad::exercise {

// Y = X + X·W        X, W: numbers, or tensors of one shape
struct MyResidualBackward final : Node {
  static constexpr Formula formula{"my_residual", "Y = X + X∘W", "dX = ?   dW = ?"};
  MyResidualBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    //> give x and w their gradients
    x.add_grad(dY + dY * W);
    w.add_grad(dY * X);
    //<
  }
  Input x{this}, w{this};
  Saved X{this, "X"}, W{this, "W"};
};

Tensor my_residual(Arg x, Arg w) {
  auto node = record<MyResidualBackward>(x, w);
  if (node) node->X = x.tensor, node->W = w.tensor;
  const NoGrad no_grad;
  return on_tape(x.tensor + x.tensor * w.tensor, std::move(node));
}

}  // namespace stepgrad::exercise
