#include "ops/fused_feed_forward.hpp"

#include "core/check.hpp"
#include "core/tape/modes.hpp"
#include "core/tape/record.hpp"
#include "core/tensor/random.hpp"
#include "ops/add.hpp"
#include "ops/clamp.hpp"
#include "ops/div.hpp"
#include "ops/dropout_mask.hpp"
#include "ops/matmul.hpp"
#include "ops/mul.hpp"
#include "ops/relu.hpp"

namespace stepgrad {

// fused_feed_forward(x, w1, b1, w2, b2, p) = matmul(dropout(clamp(matmul(x, w1) + b1, 0)), w2) + b2
//
// Z = X·W₁ + b₁      H = clamp(Z, 0)∘M / keep      Y = H·W₂ + b₂      M = dropout_mask(.., keep)
// dZ = (dY·W₂ᵀ)∘M / keep where Z >= 0 (clamp) or Z > 0 (relu), else 0            keep = 1 - p
// dX = dZ·W₁ᵀ      dW₁ = Xᵀ·dZ      db₁ = Σ dZ      dW₂ = Hᵀ·dY      db₂ = Σ dY
struct FusedFeedForwardBackward final : Node {
  static constexpr Formula formula{"fused_feed_forward",
      "Y = (σ(X·W₁ + b₁)∘M / keep)·W₂ + b₂, σ = clamp(.., 0) or relu",
      "dX = dZ·W₁ᵀ  dW₁ = Xᵀ·dZ  db₁ = Σ dZ  dW₂ = Hᵀ·dY  db₂ = Σ dY", nullptr, Traits{.packed = "H"}};
  FusedFeedForwardBackward() : Node(formula) {}
  void backward(Tensor dY) override;
  bool has_second_gradient() const override { return false; }
  Input x{this}, w1{this}, w2{this}, b1{this}, b2{this};
  Saved X{this, "X", &x}, W1{this, "W₁", &w1}, W2{this, "W₂", &w2};
  Saved H{this, "H"};            // H, then one bit per element: whether the gradient passes
  kernels::FeedForward layer{};  // sizes, keep and the mask's counter
};

void FusedFeedForwardBackward::backward(Tensor dY) {
  const auto wanted = [](const Input& in) { return in ? Tensor::empty(in.shape) : Tensor(); };
  Tensor dX = wanted(x), dW1 = wanted(w1), db1 = wanted(b1), dW2 = wanted(w2), db2 = wanted(b2);
  const auto data = [](const Tensor& grad) { return grad.defined() ? grad.data() : nullptr; };
  layer.x = X.data(), layer.w1 = W1.data(), layer.w2 = W2.data();
  kernels::table().feed_forward.grad(layer, H.data(), dY.data(),
      {.dx = data(dX), .dw1 = data(dW1), .db1 = data(db1), .dw2 = data(dW2), .db2 = data(db2)});
  if (x) x.add_grad(std::move(dX));
  if (w1) w1.add_grad(std::move(dW1));
  if (b1) b1.add_grad(std::move(db1));
  if (w2) w2.add_grad(std::move(dW2));
  if (b2) b2.add_grad(std::move(db2));
}

static void check_shapes(const Shape& x, const Shape& w1, const Shape& w2, const Tensor& b1, const Tensor& b2) {
  check<ShapeError>(
      w1.dims() == 2 && w2.dims() == 2 && x.dims() > 0 && x[-1] == w1[0] && w1[0] == w2[1] && w1[1] == w2[0],
      "fused_feed_forward: x ", x, ", w1 ", w1, " and w2 ", w2,
      " are not [.., d_model], [d_model, d_ff] and [d_ff, d_model]");
  check<ShapeError>(b1.defined() == b2.defined(), "fused_feed_forward: one of b1 and b2 is undefined");
  if (!b1.defined()) return;
  check<ShapeError>(b1.shape() == Shape{w1[1]} && b2.shape() == Shape{w2[1]}, "fused_feed_forward: b1 ", b1.shape(),
      " and b2 ", b2.shape(), " are not [d_ff] and [d_model] of w1 ", w1);
}

// Without a fused kernel: under an Autocast, if d_model or d_ff is 0, and for sums in pieces.
static Tensor by_plain_ops(
    const Arg& x, const Arg& w1, const Tensor& b1, const Arg& w2, const Tensor& b2, double p, bool relu) {
  const OpCall call(x.loc);
  const auto keep = Scalar(1 - p);
  Tensor h = matmul(x, w1);
  if (b1.defined()) h = h + b1;
  h = relu ? stepgrad::relu(h) : clamp(h, 0);
  if (p > 0) h = h * dropout_mask(h, keep) / keep;
  const Tensor y = matmul(h, w2);
  return b2.defined() ? y + b2 : y;
}

Tensor fused_feed_forward(Arg x, Arg w1, const Tensor& b1, Arg w2, const Tensor& b2, double p, bool relu) {
  const Tensor wanted[] = {x.tensor, w1.tensor, b1.defined() ? b1 : x.tensor, w2.tensor};
  check_operands("fused_feed_forward", wanted);
  check_operands("fused_feed_forward", x, w1, w2);  // numbers them for a refusal's page
  check_shapes(x.shape(), w1.shape(), w2.shape(), b1, b2);
  check<ValueError>(0 <= p && p < 1, "fused_feed_forward: dropout probability ", p, " is not in [0, 1)");
  const bool bias = b1.defined();
  const int64_t longest = std::max({x.shape().rows(), w1.shape()[0], w1.shape()[1]});
  if (modes.cast || w1.numel() == 0 || longest > kernels::product_piece)
    return by_plain_ops(x, w1, b1, w2, b2, p, relu);
  auto node = bias ? record<FusedFeedForwardBackward>(x, w1, w2, Arg(b1), Arg(b2))
                   : record<FusedFeedForwardBackward>(x, w1, w2);
  const Shape hidden = x.shape().with(x.dim() - 1, w1.shape()[1]);
  const kernels::Draw draw = p > 0 ? next_draw(hidden) : kernels::Draw{};
  const kernels::FeedForward layer{.rows = hidden.rows(),
      .d_model = w1.shape()[0],
      .d_ff = w1.shape()[1],
      .x = x.data(),
      .w1 = w1.data(),
      .b1 = bias ? b1.data() : nullptr,
      .w2 = w2.data(),
      .b2 = bias ? b2.data() : nullptr,
      .keep = Scalar(1 - p),
      .seed = draw.seed,
      .call = draw.call,
      .first_row = draw.first_row,
      .relu = relu};
  const kernels::FeedForwardKernels& kernel = kernels::table().feed_forward;
  Tensor H;
  if (node) {
    H = Tensor::empty({kernel.saved_size(layer)});
    node->X = x.tensor, node->W1 = w1.tensor, node->W2 = w2.tensor, node->H = H;
    node->layer = layer;
  }
  const Tensor y = Tensor::empty(x.shape());
  kernel.forward(layer, node ? H.data() : nullptr, y.data());
  return on_tape(y, std::move(node));
}

}
