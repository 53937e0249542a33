#pragma once

#include "nn/module.hpp"

namespace stepgrad::nn {

// Normalises each x[.., :] to mean 0 and variance 1, times weight plus bias, as torch.nn.LayerNorm
// (Ba et al. 2016). Initialised as ones and zeros.        x: [.., d_model]   weight, bias:
// [d_model]
struct LayerNorm : Module<LayerNorm> {
  explicit LayerNorm(int64_t d_model, Scalar eps = Scalar(1e-5),
      OpCall = Loc::here());  // ValueError: not positive

  Tensor forward(Tensor x);  // ShapeError
  std::string extra_repr() const;

  void parts(auto visit) { visit("weight", weight), visit("bias", bias); }

  Tensor weight, bias;
  Scalar eps;
};

}
