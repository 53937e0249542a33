#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// The keywords of torch.autograd.grad.
struct GradOptions {
  Tensors grad_outputs = {};  // one per output; empty: each output has one element, and its gradient is 1
  bool retain_graph = false;
  bool create_graph = false;  // the gradients get a history, and the tape is retained
  bool allow_unused = false;  // an unused input gets an undefined gradient instead of a TapeError
};

// Returns the gradients of `inputs` instead of adding them: the gradients of the sum of each output
// times its grad_outputs. Runs and frees only what leads to an input. No leaf's grad() changes.
//   grad({loss}, {w}, {.create_graph = true})[0]
// TapeError: an input does not require a gradient, or was not used for the outputs. Throws also
// what Tensor::backward throws.
Tensors grad(const Tensors& outputs, const Tensors& inputs, const GradOptions& options = {}, Loc loc = Loc::here());

}
