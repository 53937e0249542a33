#include "nn/positionwise_feed_forward.hpp"

#include <cmath>

#include "ops/add.hpp"
#include "ops/div.hpp"
#include "ops/fused_feed_forward.hpp"
#include "ops/matmul.hpp"

namespace stepgrad::nn {

static double checked(int64_t d_model, int64_t d_ff, double p) {
  check<ValueError>(
      d_model > 0 && d_ff > 0, "d_model and d_ff must be positive. PositionwiseFeedForward: ", d_model, " and ", d_ff);
  check<ValueError>(0 <= p && p < 1, "dropout_p must be in [0,1), and is ", p);
  return p;
}

static Tensor parameter(const Tensor& tensor, const char* name) { return tensor.requires_grad_().set_name(name); }

PositionwiseFeedForward::PositionwiseFeedForward(int64_t d_model, int64_t d_ff, double dropout_p, bool bias, OpCall)
    : d_model(d_model), d_ff(d_ff), bias(bias), dropout(checked(d_model, d_ff, dropout_p)) {
  w1 = parameter(Tensor::randn({d_model, d_ff}) / std::sqrt(d_model), "w1");
  if (bias) b1 = parameter(Tensor::zeros({d_ff}), "b1");
  w2 = parameter(Tensor::randn({d_ff, d_model}) / std::sqrt(d_ff), "w2");
  if (bias) b2 = parameter(Tensor::zeros({d_model}), "b2");
}

Tensor PositionwiseFeedForward::forward(Tensor x) {
  if (x.dim() == 0 || x.size(-1) != d_model) refuse(x.shape());
  if (fused_ops()) return fused_feed_forward(x, w1, b1, w2, b2, dropout.training ? dropout.p : 0);

  // [B, L, d_model] -> [B, L, d_ff]
  x = matmul(x, w1);
  if (b1.defined()) x = x + b1;

  x = activation(x);
  x = dropout(x);

  // [B, L, d_ff] -> [B, L, d_model]
  x = matmul(x, w2);
  if (b2.defined()) x = x + b2;

  return x;
}

void PositionwiseFeedForward::refuse(const Shape& x) const {
  fail<ValueError>("Last dim must be d_model. PositionwiseFeedForward: ", x, ", and d_model is ", d_model);
}

}
