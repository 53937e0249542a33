#include "ops/layer_norm.hpp"

#include "core/check.hpp"
#include "core/tape/record.hpp"
#include "core/tensor/elementwise.hpp"
#include "ops/add.hpp"
#include "ops/div.hpp"
#include "ops/mean.hpp"
#include "ops/mul.hpp"
#include "ops/sqrt.hpp"
#include "ops/sub.hpp"

namespace stepgrad {

// Y = H∘W + B        H = (X - M)∘R        X, H, Y: [.., n]
// M = mean(X)   R = 1/√(var + eps), one of each a row
// dX = R∘(dH - mean(dH) - H∘mean(H∘dH)), with dH = dY∘W
// dW = dY∘H   dB = dY, each summed over the rows
struct LayerNormBackward final : Node {
  static constexpr Formula formula{"layer_norm", "Y = (X - mean)/√(var + eps)∘W + B",
      "dX = R∘(dH - mean(dH) - H∘mean(H∘dH))   dW = dY∘H   dB = dY",
      [](Inputs x, const Attributes& of) { return layer_norm(x[0], x[1], x[2], of("eps")); }, Kind::floating,
      Traits{.sums = "...|,n,n->...n"}};
  LayerNormBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    Tensor dW = Tensor::empty(W.shape()), dB = Tensor::empty(W.shape());
    kernels::table().layer_norm_grad(
        M.numel(), W.numel(), dY.data(), X.data(), W.data(), M.data(), R.data(), dY.data(), dW.data(), dB.data());
    if (b) b.add_grad(std::move(dB));  // dB = dY
    if (w) w.add_grad(std::move(dW));  // dW = dY∘H
    if (x) x.add_grad(std::move(dY));  // dX = R∘(dH - mean(dH) - H∘mean(H∘dH))
  }
  void backward_by_ops(Tensor dY) override {
    const Tensor D = X - mean(X, -1, true), H = D / sqrt(mean(D * D, -1, true) + eps), dH = dY * W;
    if (b) b.add_grad(dY);
    if (w) w.add_grad(dY * H);
    const Tensor slope = dH - mean(dH, -1, true) - H * mean(H * dH, -1, true);
    if (x) x.add_grad(slope / sqrt(mean(D * D, -1, true) + eps));
  }
  Attributes attributes() const override { return {{"eps", {eps}}}; }
  Input x{this}, w{this}, b{this};
  Saved X{this, "X", &x}, W{this, "W", &w}, M{this, "M"}, R{this, "R"};
  Scalar eps = 0;
};

Tensor layer_norm(Arg x, Arg w, Arg b, Scalar eps) {
  check_operands("layer_norm", x, w, b);
  const Shape shape = x.shape();
  check<ShapeError>(shape.dims() > 0 && w.shape() == Shape{shape[-1]} && b.shape() == w.shape(), "layer_norm: weight ",
      w.shape(), " and bias ", b.shape(), " are not of the last size of ", shape);
  auto node = record<LayerNormBackward>(x, w, b);
  const Tensor M = Tensor::empty({shape.rows()}), R = Tensor::empty({shape.rows()});
  if (node) node->X = x.tensor, node->W = w.tensor, node->M = M, node->R = R, node->eps = eps;
  const Scalar* data = x.data();
  const Tensor y = output(shape, x);
  kernels::table().layer_norm(shape.rows(), shape[-1], eps, data, w.data(), b.data(), y.data(), M.data(), R.data());
  return on_tape(y, std::move(node));
}

}
