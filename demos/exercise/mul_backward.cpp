// Exercise: the gradient of a product, MulBackward
// Hint: If an element of a grows by h, the one of Y beside it grows by h times an element of B.
// Of dY, which says what Y's growth does to the loss, how much does a's element get?
// Where: both lines stand in backward(). dA has dY's elements, each times the saved number that
// stood beside A's.
#include "demos/exercise/exercise.hpp"

namespace stepgrad::exercise {

// Y = A∘B        A, B: shapes that broadcast      Y: what they broadcast to
struct MyMulBackward final : Node {
  static constexpr Formula formula{"my_mul", "Y = A∘B", "dA = ?   dB = ?"};
  MyMulBackward() : Node(formula) {}
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
  auto node = record<MyMulBackward>(a, b);
  if (node) node->A = a.tensor, node->B = b.tensor;
  const NoGrad no_grad;
  return on_tape(a.tensor * b.tensor, std::move(node));
}

}  // namespace stepgrad::exercise
