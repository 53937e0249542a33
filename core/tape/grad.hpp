#pragma once

#include <vector>

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// What torch.autograd.grad calls its keywords.
struct GradOptions {
  std::vector<Tensor> grad_outputs =
      {};  // one for each output; none: each output has one element, and its gradient is 1
  bool retain_graph = false;
  bool create_graph = false;  // the gradients have a history, and the tape is retained
  bool allow_unused = false;  // an input that was not used has an undefined gradient
};

// The gradients of `inputs`, returned instead of added to them: of each output times its gradient
// in grad_outputs. No leaf's grad() changes.
//   grad({loss}, {w}, {.create_graph = true})[0]
// TapeError: an input does not require a gradient, or nothing was computed from it; and what
// Tensor::backward throws.
std::vector<Tensor> grad(const std::vector<Tensor>& outputs, const std::vector<Tensor>& inputs,
                         const GradOptions& options = {});

}  // namespace stepgrad
