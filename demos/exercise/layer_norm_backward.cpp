// Exercise: the gradient of layer norm, LayerNormBackward
// Hint: G = dY∘w is what X̂ gets. Neither adding a number to a row of X nor stretching it changes
// X̂. So two parts of G are lost: its mean, and what goes along X̂.
// Where: three terms in brackets: G, a mean over its row, and X̂ times another such mean; in
// front of them what X̂ has in front of X. For weight and bias think of Y = X̂∘w + b alone: sums
// over rows are made for you.
#include "demos/exercise/exercise.hpp"

namespace stepgrad::exercise {

// Y = X̂∘w + b      X̂ = (X - mean(X))∘R      R = 1/√(var(X) + 1e-5)      over the last dimension
struct MyLayerNormBackward final : Node {
  static constexpr Formula formula{"my_layer_norm", "Y = X̂∘w + b", "dX = ?   dw = ?   db = ?"};
  MyLayerNormBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    //> give x, weight and bias their gradients. mean(x, -1, true) is the mean of each row, [.., 1]
    const Tensor G = dY * W;
    x.add_grad(R * (G - mean(G, -1, true) - X_hat * mean(G * X_hat, -1, true)));
    weight.add_grad(dY * X_hat);
    bias.add_grad(dY);
    //<
  }
  Input x{this}, weight{this}, bias{this};
  Saved X_hat{this, "X̂"}, R{this, "R"}, W{this, "w"};
};

Tensor my_layer_norm(Arg x, Arg weight, Arg bias) {
  auto node = record<MyLayerNormBackward>(x, weight, bias);
  const NoGrad no_grad;
  const Tensor centred = x.tensor - mean(x.tensor, -1, true);
  const Tensor R = 1 / sqrt(mean(centred * centred, -1, true) + 1e-5), X_hat = centred * R;
  if (node) node->X_hat = X_hat, node->R = R, node->W = weight.tensor;
  return on_tape(X_hat * weight.tensor + bias.tensor, std::move(node));
}

}  // namespace stepgrad::exercise
