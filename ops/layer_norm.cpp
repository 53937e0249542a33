#include "ops/layer_norm.hpp"

#include "core/check.hpp"
#include "core/elementwise.hpp"
#include "core/record.hpp"
#include "ops/add.hpp"
#include "ops/mul.hpp"

namespace stepgrad {

// Y = H∘W + B        H = (X - mean)∘R    R = 1/√(var + eps), one a row     X, H, Y: [.., n]
// dW = dY∘H   dB = dY, each summed over the rows
// dX = R∘(dH - mean(dH) - H∘mean(H∘dH)), with dH = dY∘W
struct LayerNormBackward final : Node {
  static constexpr Formula formula{"layer_norm", "Y = (X - mean)/√(var + eps)∘W + B",
                                   "dX = R∘(dH - mean(dH) - H∘mean(H∘dH))   dW = dY∘H   dB = dY"};
  LayerNormBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    if (b) b.add_grad(dY);      // dB = dY
    if (w) w.add_grad(dY * H);  // dW = dY∘H
    if (!x) return;
    Tensor dX = std::move(dY) * W;  // dH, and then in its place:
    kernels::table().normalize_grad(H.shape().rows(), H.size(-1), dX.data(), H.data(), R.data(),
                                    dX.data());
    x.add_grad(std::move(dX));
  }
  Input x{this}, w{this}, b{this};
  Saved H{this, "H"}, R{this, "R"}, W{this, "W"};  // R and W only for X's gradient
};

Tensor layer_norm(Arg x, Arg w, Arg b, Scalar eps) {
  const Shape shape = x.shape();
  check<ShapeError>(shape.dims() > 0 && w.shape() == Shape{shape[-1]} && b.shape() == w.shape(),
                    "layer_norm: weight ", w.shape(), " and bias ", b.shape(),
                    " are not of the last size of ", shape);
  auto node = record<LayerNormBackward>(x, w, b);
  const Scalar* data = x.data();
  const Tensor H = output(shape, x), R = Tensor::empty({shape.rows()});
  kernels::table().normalize(shape.rows(), shape[-1], eps, data, H.data(), R.data());
  if (node && (node->x || node->w)) node->H = H;
  if (node && node->x) node->R = R, node->W = w.tensor;
  const NoGrad no_grad;
  return on_tape(H * w.tensor + b.tensor, std::move(node));
}

}  // namespace stepgrad
