#pragma once

#include "core/tape/modes.hpp"
#include "nn/files/state.hpp"

namespace stepgrad::nn {

// Stochastic gradient descent, as torch.optim.SGD. For each parameter w with gradient g:
//   g = g + weight_decay·w        v = momentum·v + g  (v = g at first)        w = w - lr·v
// or with nesterov, w = w - lr·(g + momentum·v).
class SGD {
 public:
  // ValueError: nesterov without momentum, and what nn/optimizer.hpp names.
  explicit SGD(Tensors parameters, Scalar lr = Scalar(1e-3), Scalar momentum = 0, Scalar weight_decay = 0,
      bool nesterov = false, OpCall = Loc::here());

  void step();                               // parameters without a gradient stay as they are
  void zero_grad(bool set_to_none = false);  // see nn/zero_grad.hpp
  const Tensors& parameters() const { return parameters_; }

  // Copies of step()'s state, as AdamW's: with momentum, parameter i's velocity "i.v".
  NamedTensors state() const;
  void load_state(const NamedTensors& state, Loc loc = Loc::here());

  Scalar lr, momentum, weight_decay;
  bool nesterov;

 private:
  Tensors parameters_;
  Tensors velocity_;
};

}
