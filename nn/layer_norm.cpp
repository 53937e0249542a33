#include "nn/layer_norm.hpp"

#include "core/check.hpp"
#include "ops/layer_norm.hpp"

namespace stepgrad::nn {

LayerNorm::LayerNorm(int64_t d_model, Scalar eps, OpCall) : eps(eps) {
  check<ValueError>(d_model > 0 && eps > 0, "LayerNorm: d_model ", d_model, " and eps ", eps, " must be positive");
  weight = Tensor::ones({d_model}).requires_grad_();
  bias = Tensor::zeros({d_model}).requires_grad_();
  name_parameters();
}

std::string LayerNorm::extra_repr() const {
  return text_of('(', weight.size(0), ",), eps=", eps, ", elementwise_affine=True");
}

Tensor LayerNorm::forward(Tensor x) { return layer_norm(x, weight, bias, eps); }

}
