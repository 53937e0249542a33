#pragma once

#include <vector>

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// The gradients of `inputs`, returned instead of added to them: of each output times its gradient
// in `grad_outputs`, which may be left out where an output has one element (then it is 1). No
// leaf's grad() changes. As torch.autograd.grad.
//
// create_graph: the gradients have a history, so that gradients of them can be asked for; the tape
// is retained then. TapeError: an input does not require a gradient, or nothing was computed from
// it and allow_unused is not given (then its gradient is undefined); and what Tensor::backward
// throws.
std::vector<Tensor> grad(const std::vector<Tensor>& outputs, const std::vector<Tensor>& inputs,
                         const std::vector<Tensor>& grad_outputs = {}, bool create_graph = false,
                         bool allow_unused = false, bool retain_graph = false);

}  // namespace stepgrad
