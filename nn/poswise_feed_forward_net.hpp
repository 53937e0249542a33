#pragma once

#include "nn/activation.hpp"
#include "nn/conv1d.hpp"
#include "ops/gelu.hpp"

namespace stepgrad::nn {

// The feed-forward as two convolutions with a kernel of one, four times as wide in between. The
// document's class reads an undefined self.config.d_hidn; here it is the argument.
//   inputs, result: [batch, n, d_hidn]
struct PoswiseFeedForwardNet : Module<PoswiseFeedForwardNet> {
  // ValueError: d_hidn is not positive. `active` is gelu or relu.
  explicit PoswiseFeedForwardNet(int64_t d_hidn, Activation active = gelu, OpCall = Loc::here());

  Tensor forward(Tensor inputs);  // ShapeError

  void parts(auto visit) { visit("conv1", conv1), visit("conv2", conv2); }

  Conv1d conv1, conv2;
  Activation active;
};

}
