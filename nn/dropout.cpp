#include "nn/dropout.hpp"

#include "core/check.hpp"
#include "ops/dropout_mask.hpp"
#include "ops/mul.hpp"

namespace stepgrad::nn {

Dropout::Dropout(Scalar p) : p(p) { check<ValueError>(0 <= p && p < 1, "p must be in [0,1)"); }

Tensor Dropout::forward(Tensor x) {
  if (!training || p == 0) return x;

  const Scalar keep_prob = 1 - p;
  const Tensor mask = dropout_mask(x, keep_prob);  // 0 or 1/keep_prob

  return x * mask;
}

}  // namespace stepgrad::nn
