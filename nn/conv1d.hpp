#pragma once

#include "nn/module.hpp"

namespace stepgrad::nn {

// A convolution over positions with a kernel of one: y[b, :, t] = weight·x[b, :, t] + bias. It is
// Linear with the channels in the middle, as torch.nn.Conv1d(kernel_size=1), and begins as that
// does, uniform within ±1/√in_channels.
//   x: [batch, in_channels, n]   weight: [out_channels, in_channels, 1]   bias: [out_channels]
struct Conv1d : Module<Conv1d> {
  // ValueError: a size that is not positive, or another kernel_size.
  Conv1d(int64_t in_channels, int64_t out_channels, int64_t kernel_size = 1, OpCall = Loc::here());

  Tensor forward(Tensor x);  // ShapeError
  std::string extra_repr() const;

  void parts(auto visit) { visit("weight", weight), visit("bias", bias); }

  Tensor weight, bias;
};

}
