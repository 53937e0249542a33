#pragma once

#include "nn/module.hpp"

namespace stepgrad::nn {

// f(x) = max(0, x), as x.clamp(0) or, in place, x.clamp_(0): the gradient at 0 passes.
struct ReLU : Module<ReLU> {
  explicit ReLU(bool in_place = false) : inplace(in_place) {}

  Tensor forward(Tensor x);

  void parts(auto) {}

  bool inplace;
};

}
