#include "nn/layer_norm.hpp"

#include "core/check.hpp"
#include "ops/layer_norm.hpp"

namespace stepgrad::nn {

LayerNorm::LayerNorm(int64_t d_model, Scalar eps) : eps(eps) {
  check<ValueError>(d_model > 0 && eps > 0, "LayerNorm: d_model ", d_model, " and eps ", eps,
                    " must be positive");
  weight = Tensor::ones({d_model}).requires_grad_();
  bias = Tensor::zeros({d_model}).requires_grad_();
  name_parameters();
}

Tensor LayerNorm::forward(Tensor x) { return layer_norm(x, weight, bias, eps); }

}  // namespace stepgrad::nn
