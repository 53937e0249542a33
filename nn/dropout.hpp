#pragma once

#include "nn/module.hpp"

namespace stepgrad::nn {

// In training, each element is zeroed with probability p and the others are divided by 1 - p, so
// that the expected value stays (Srivastava et al. 2014). In evaluation, and for p = 0, x itself.
// The order is the notebook's, (x * mask) / keep_prob; PyTorch's is x * (mask / keep_prob), which
// differs in the last bit.
struct Dropout : Module<Dropout> {
  explicit Dropout(double p);  // ValueError: p not in [0, 1)

  Tensor forward(Tensor x);

  template <class Visit>
  void parts(Visit) {}

  double p;
  bool training = true;
};

}  // namespace stepgrad::nn
