#pragma once

#include "nn/module.hpp"

namespace stepgrad::nn {

// y = x·weightᵀ + bias, as torch.nn.Linear.
//
//   x: [.., in_features]   weight: [out_features, in_features]   bias: [out_features]
//
// Both are initialised uniform within ±1/√in_features, as PyTorch's kaiming_uniform_(a=√5).
struct Linear : Module<Linear> {
  // ValueError: a size that is not positive.
  Linear(int64_t in_features, int64_t out_features, bool bias = true, OpCall = Loc::here());

  Tensor forward(Tensor x);  // ShapeError: the last size is not in_features
  std::string extra_repr() const;

  void parts(auto visit) { visit("weight", weight), visit("bias", bias); }

  Tensor weight, bias;  // bias is undefined without one
};

}
