// Exercise: the gradient of softmax, SoftmaxBackward
// Hint: all of a row changes with each of its elements. Of dY only what differs from the row's mean
// of dY, weighted by Y, counts: dX = Y∘(dY - Σ dY∘Y), with the sum over a row.
#include "demos/exercise/check.hpp"

namespace softmax_backward {

// Y = softmax(X) along the last dimension
struct SoftmaxBackward final : Node {
  static constexpr Formula formula{"my_softmax", "Y = exp(X) / Σ exp(X)", "dX = ?"};
  SoftmaxBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    //> give x its gradient. Y is saved below; sum(x, -1, true) is the sum of each row, [rows, 1]
    x.add_grad(Y * (dY - sum(dY * Y, -1, true)));
    //<
  }
  Input x{this};
  Saved Y{this, "Y"};
};

Tensor my_softmax(Arg x) {
  auto node = record<SoftmaxBackward>(x);
  const NoGrad no_grad;
  const Tensor y = softmax(x.tensor, -1);
  if (node) node->Y = y;
  return on_tape(y, std::move(node));
}

EXERCISE(softmax_backward) {
  const Tensor x = Tensor::randn({3, 4});
  check_gradients("my_softmax", [](const Tensors& in) { return my_softmax(in[0]); }, {x});
}

}  // namespace softmax_backward
