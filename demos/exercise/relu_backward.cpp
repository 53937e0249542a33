// Exercise: the gradient of relu, ReluBackward
// Hint: Where X is below 0, Y does not change with X, and where it is above, Y changes as X
// does. At 0 itself PyTorch takes 0.
// Where: one line: dY times a tensor of ones and zeros, which a comparison of X with 0 makes:
// gt, ge, lt, le.
#include "demos/exercise/exercise.hpp"

namespace stepgrad::exercise {

// Y = max(0, X)
struct MyReluBackward final : Node {
  static constexpr Formula formula{"my_relu", "Y = max(0, X)", "dX = ?"};
  MyReluBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    //> give x its gradient: x.add_grad(...)
    x.add_grad(dY * gt(X, 0));
    //<
  }
  Input x{this};
  Saved X{this, "X"};
};

Tensor my_relu(Arg x) {
  auto node = record<MyReluBackward>(x);
  if (node) node->X = x.tensor;
  const NoGrad no_grad;
  return on_tape(clamp(x.tensor, 0), std::move(node));
}

}  // namespace stepgrad::exercise
