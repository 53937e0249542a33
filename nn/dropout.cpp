#include "nn/dropout.hpp"

#include "core/check.hpp"
#include "ops/div.hpp"
#include "ops/dropout_mask.hpp"
#include "ops/mul.hpp"

namespace stepgrad::nn {

Dropout::Dropout(double p, OpCall) : p(p) {
  check<ValueError>(0 <= p && p < 1, "p must be in [0,1), and Dropout's is ", p);
}

std::string Dropout::extra_repr() const { return text_of("p=", p, ", inplace=False"); }

Tensor Dropout::forward(Tensor x) {
  if (!training || p == 0) return x;

  const auto keep_prob = Scalar(1 - p);
  const Tensor mask = dropout_mask(x, keep_prob);

  return (x * mask) / keep_prob;
}

}
