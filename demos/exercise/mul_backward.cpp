// Exercise: the gradient of a product, MulBackward
// Hint: dY has Y's shape. If a grows by h, Y grows by h∘B: so what does each element of dA get of
// dY?
#include "demos/exercise/check.hpp"

namespace mul_backward {

// Y = A∘B        A, B, Y: one shape
struct MulBackward final : Node {
  static constexpr Formula formula{"my_mul", "Y = A∘B", "dA = ?   dB = ?"};
  MulBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    //> give a and b their gradients: a.add_grad(...), b.add_grad(...). A and B are saved below
    a.add_grad(dY * B);
    b.add_grad(dY * A);
    //<
  }
  Input a{this}, b{this};
  Saved A{this, "A"}, B{this, "B"};
};

Tensor my_mul(Arg a, Arg b) {
  auto node = record<MulBackward>(a, b);
  if (node) node->A = a.tensor, node->B = b.tensor;
  const NoGrad no_grad;
  return on_tape(a.tensor * b.tensor, std::move(node));
}

EXERCISE(mul_backward) {
  const Tensor a = Tensor::of({{1, 2, 3}, {4, 5, 6}}), b = Tensor::randn({2, 3});
  check_gradients("my_mul", [](const Tensors& in) { return my_mul(in[0], in[1]); }, {a, b});
}

}  // namespace mul_backward
