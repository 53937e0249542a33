// Exercise: the gradient of relu, ReluBackward
// Hint: where X is below 0, Y does not change with X. gt(X, 0) is 1 where X is above 0, and 0
// elsewhere.
#include "demos/exercise/check.hpp"

namespace relu_backward {

// Y = max(0, X)
struct ReluBackward final : Node {
  static constexpr Formula formula{"my_relu", "Y = max(0, X)", "dX = ?"};
  ReluBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    //> give x its gradient: x.add_grad(...)
    x.add_grad(dY * gt(X, 0));
    //<
  }
  Input x{this};
  Saved X{this, "X"};
};

Tensor my_relu(Arg x) {
  auto node = record<ReluBackward>(x);
  if (node) node->X = x.tensor;
  const NoGrad no_grad;
  return on_tape(clamp(x.tensor, 0), std::move(node));
}

EXERCISE(relu_backward) {
  const Tensor x = Tensor::of({{-2, 0.5, 3}, {1, -0.25, -7}});
  check_gradients("my_relu", [](const Tensors& in) { return my_relu(in[0]); }, {x});
}

}  // namespace relu_backward
