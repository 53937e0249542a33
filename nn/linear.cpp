#include "nn/linear.hpp"

#include <cmath>

#include "core/check.hpp"
#include "nn/init.hpp"
#include "ops/linear.hpp"

namespace stepgrad::nn {

Linear::Linear(int64_t in_features, int64_t out_features, bool bias, OpCall) {
  check<ValueError>(in_features > 0 && out_features > 0, "Linear: in_features ", in_features, " and out_features ",
      out_features, " must be positive");
  const Scalar bound = 1 / std::sqrt(Scalar(in_features));
  weight = uniform_(Tensor::empty({out_features, in_features}), -bound, bound).requires_grad_();
  if (bias) this->bias = uniform_(Tensor::empty({out_features}), -bound, bound).requires_grad_();
  name_parameters();
}

std::string Linear::extra_repr() const {
  return text_of(
      "in_features=", weight.size(1), ", out_features=", weight.size(0), ", bias=", bias.defined() ? "True" : "False");
}

Tensor Linear::forward(Tensor x) {
  if (!bias.defined()) return linear(x, weight);
  return linear(x, weight, bias);
}

}
