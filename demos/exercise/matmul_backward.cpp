// Exercise: the gradient of a matrix product, MatmulBackward
// Hint: dA has A's shape, dB has B's, and each is a product of dY and the other matrix. Only one
// order, with one of the two transposed, has the right shape.
// Where: [n, k] is [n, m] times [m, k]: dY, and B with its last two dimensions swapped. For dB
// begin with [k, n]. In a batch dimensions are counted from behind: -2 and -1.
#include "demos/exercise/exercise.hpp"

namespace stepgrad::exercise {

// Y = A·B        A: [.., n, k]   B: [k, m]   Y: [.., n, m]
struct MyMatmulBackward final : Node {
  static constexpr Formula formula{"my_matmul", "Y = A·B", "dA = ?   dB = ?"};
  MyMatmulBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    //> give a and b their gradients; x.transpose(i, j) swaps dimensions, add_grad() sums a batch
    a.add_grad(matmul(dY, B.transpose(-2, -1)));
    b.add_grad(matmul(A.transpose(-2, -1), dY));
    //<
  }
  Input a{this}, b{this};
  Saved A{this, "A"}, B{this, "B"};
};

Tensor my_matmul(Arg a, Arg b) {
  auto node = record<MyMatmulBackward>(a, b);
  if (node) node->A = a.tensor, node->B = b.tensor;
  const NoGrad no_grad;
  return on_tape(matmul(a.tensor, b.tensor), std::move(node));
}

}  // namespace stepgrad::exercise
