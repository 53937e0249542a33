#pragma once

#include "nn/module.hpp"

namespace stepgrad::nn {

// In training, each element is zeroed with probability p and the others are divided by 1 - p, which
// keeps the expected value (Srivastava et al. 2014). In evaluation, or if p = 0: x itself. Computed
// in the notebook's order, (x * mask) / keep_prob; PyTorch's, x * (mask / keep_prob), differs in
// the last bit.
struct Dropout : Module<Dropout> {
  explicit Dropout(double p, OpCall = Loc::here());  // ValueError: p not in [0, 1)

  Tensor forward(Tensor x);
  std::string extra_repr() const;

  void parts(auto) {}

  double p;
  bool training = true;
};

}
