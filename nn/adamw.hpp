#pragma once

#include <vector>

#include "core/tape/modes.hpp"
#include "nn/files/state.hpp"

namespace stepgrad::nn {

// Adam with decoupled weight decay (Loshchilov & Hutter 2019), as torch.optim.AdamW. For each
// parameter w with gradient g, at its step t:
//   w = w - lr·weight_decay·w
//   m = β₁m + (1-β₁)g        v = β₂v + (1-β₂)g²
//   w = w - lr · m/(1-β₁ᵗ) / (√(v/(1-β₂ᵗ)) + eps)
class AdamW {
 public:
  // ValueError: a beta not in [0, 1), and what nn/optimizer.hpp names.
  explicit AdamW(Tensors parameters, double lr = 1e-3, double beta1 = 0.9, double beta2 = 0.999, double eps = 1e-8,
      double weight_decay = 1e-2, OpCall = Loc::here());

  void step();                               // parameters without a gradient stay as they are
  void zero_grad(bool set_to_none = false);  // see nn/zero_grad.hpp
  const Tensors& parameters() const { return parameters_; }

  // Copies of step()'s state, for save_safetensors: parameter i's moments "i.m" and "i.v", and its
  // number of steps "i.t". load_state restores them. ShapeError, with nothing changed: the state is
  // of other parameters.
  NamedTensors state() const;
  void load_state(const NamedTensors& state, Loc loc = Loc::here());

  double lr, beta1, beta2, eps, weight_decay;

 private:
  struct State {
    Tensor m, v;
    int64_t t = 0;
  };
  Tensors parameters_;
  std::vector<State> states_;
};

}
