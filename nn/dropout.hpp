#pragma once

#include "nn/module.hpp"

namespace stepgrad::nn {

// In training, each element is zeroed with probability p and the others grow by 1 / (1 - p), so
// that the expected value stays (Srivastava et al. 2014). In evaluation, and for p = 0, x itself.
struct Dropout : Module<Dropout> {
  explicit Dropout(Scalar p);  // ValueError: p not in [0, 1)

  Tensor forward(Tensor x);

  template <class Visit>
  void parts(Visit) {}

  Scalar p;
  bool training = true;
};

}  // namespace stepgrad::nn
