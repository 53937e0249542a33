#include "ops/feed_forward.hpp"

#include "core/autocast.hpp"
#include "core/check.hpp"
#include "core/random.hpp"
#include "core/record.hpp"
#include "ops/add.hpp"
#include "ops/bfloat16.hpp"
#include "ops/clamp.hpp"
#include "ops/dropout_mask.hpp"
#include "ops/matmul.hpp"
#include "ops/mul.hpp"

namespace stepgrad {

// feed_forward(x, w1, b1, w2, b2, p) = matmul(dropout(clamp(matmul(x, w1) + b1, 0)), w2) + b2
//
// H = clamp(X·W₁ + b₁, 0)∘M      Y = H·W₂ + b₂           M = dropout_mask(.., 1 - p)
// dZ = dY·W₂ᵀ∘M where X·W₁ + b₁ >= 0, else 0
// dX = dZ·W₁ᵀ      dW₁ = Xᵀ·dZ      db₁ = Σ dZ      dW₂ = Hᵀ·dY      db₂ = Σ dY
// Within an Autocast(bfloat16) the products round as theirs do.
struct FeedForwardBackward final : Node {
  static constexpr Formula formula{"feed_forward", "Y = (clamp(X·W₁ + b₁, 0)∘M)·W₂ + b₂",
                                   "dX = dZ·W₁ᵀ  dW₁ = Xᵀ·dZ  db₁ = Σ dZ  dW₂ = Hᵀ·dY  db₂ = Σ dY"};
  FeedForwardBackward() : Node(formula) {}
  void backward(Tensor dY) override;
  Input x{this}, w1{this}, w2{this}, b1{this}, b2{this};
  Saved X{this, "X"}, W1{this, "W₁"}, W2{this, "W₂"};
  Saved H{this, "H"};            // and the bits that say where dZ is not 0
  kernels::FeedForward layer{};  // sizes, keep and the mask's counter
  const kernels::FeedForwardKernels* kernel = nullptr;
};

void FeedForwardBackward::backward(Tensor dY) {
  layer.x = X.data(), layer.w1 = W1.data(), layer.w2 = W2.data();
  const Input* inputs[] = {&x, &w1, &b1, &w2, &b2};
  Tensor grads[5];
  for (int i = 0; i < 5; ++i) {
    if (*inputs[i]) grads[i] = Tensor::empty(inputs[i]->shape);
  }
  const auto data = [](const Tensor& grad) { return grad.defined() ? grad.data() : nullptr; };
  kernel->grad(layer, H.data(), dY.data(),
               {data(grads[0]), data(grads[1]), data(grads[2]), data(grads[3]), data(grads[4])});
  for (int i = 0; i < 5; ++i) {
    if (*inputs[i]) inputs[i]->add_grad(std::move(grads[i]));
  }
}

static void check_shapes(const Shape& x, const Shape& w1, const Shape& w2, const Tensor& b1,
                         const Tensor& b2) {
  check<ShapeError>(w1.dims() == 2 && w2.dims() == 2 && x.dims() > 0 && x[-1] == w1[0] &&
                        w1[0] == w2[1] && w1[1] == w2[0],
                    "feed_forward: x ", x, ", w1 ", w1, " and w2 ", w2,
                    " are not [.., d_model], [d_model, d_ff] and [d_ff, d_model]");
  check<ShapeError>(b1.defined() == b2.defined(), "feed_forward: one of b1 and b2 is undefined");
  if (!b1.defined()) return;
  check<ShapeError>(b1.shape() == Shape{w1[1]} && b2.shape() == Shape{w2[1]}, "feed_forward: b1 ",
                    b1.shape(), " and b2 ", b2.shape(), " are not [d_ff] and [d_model] of w1 ", w1);
}

// What has no fused kernel: products of halves, and layers of no width.
static Tensor by_plain_ops(const Arg& x, const Arg& w1, const Tensor& b1, const Arg& w2,
                           const Tensor& b2, Scalar p) {
  Tensor h = matmul(x, w1);
  if (b1.defined()) h = add({h, x.loc}, {b1, x.loc});
  h = clamp({h, x.loc}, 0);
  if (p > 0) h = mul({h, x.loc}, {dropout_mask({h, x.loc}, 1 - p), x.loc});
  const Tensor y = matmul({h, x.loc}, w2);
  return b2.defined() ? add({y, x.loc}, {b2, x.loc}) : y;
}

Tensor feed_forward(Arg x, Arg w1, const Tensor& b1, Arg w2, const Tensor& b2, Scalar p) {
  check_shapes(x.shape(), w1.shape(), w2.shape(), b1, b2);
  check<ValueError>(0 <= p && p < 1, "feed_forward: dropout probability ", p, " is not in [0, 1)");
  const bool bias = b1.defined(), bf16 = Autocast::current() == bfloat16;
  const bool halves = Autocast::current() && !bf16;
  if (halves || w1.tensor.numel() == 0) return by_plain_ops(x, w1, b1, w2, b2, p);
  auto node = bias ? record<FeedForwardBackward>(x, w1, w2, Arg(b1, x.loc), Arg(b2, x.loc))
                   : record<FeedForwardBackward>(x, w1, w2);
  const Shape hidden = x.shape().with(x.shape().dims() - 1, w1.shape()[1]);
  kernels::FeedForward layer{hidden.rows(),
                             w1.shape()[0],
                             w1.shape()[1],
                             x.data(),
                             w1.data(),
                             bias ? b1.data() : nullptr,
                             w2.data(),
                             bias ? b2.data() : nullptr,
                             1 - p,
                             0,
                             0};
  if (p > 0) {
    const kernels::Draw draw = next_draw(hidden);
    layer.seed = draw.seed, layer.call = draw.call;
  }
  const kernels::Table& table = kernels::table();
  const auto& kernel = bf16 ? table.bf16_feed_forward : table.feed_forward;
  Tensor saved;
  if (node) {
    saved = Tensor::empty({kernel.saved_size(layer)});
    node->X = x.tensor, node->W1 = w1.tensor, node->W2 = w2.tensor, node->H = saved;
    node->layer = layer, node->kernel = &kernel;
  }
  const Tensor y = Tensor::empty(x.shape());
  kernel.forward(layer, node ? saved.data() : nullptr, y.data());
  return on_tape(y, std::move(node));
}

}  // namespace stepgrad
