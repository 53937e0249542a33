#pragma once

#include <vector>

#include "core/tensor.hpp"

namespace stepgrad::nn {

// Stochastic gradient descent, as torch.optim.SGD. For each parameter w with gradient g:
//   g = g + weight_decay·w        v = momentum·v + g  (v = g at first)        w = w - lr·v
class SGD {
 public:
  // ValueError: a negative number.
  explicit SGD(std::vector<Tensor> parameters, Scalar lr = Scalar(1e-3), Scalar momentum = 0,
               Scalar weight_decay = 0);

  void step();       // parameters without a gradient stay as they are
  void zero_grad();  // zeros into the gradients that exist
  const std::vector<Tensor>& parameters() const { return parameters_; }

  Scalar lr, momentum, weight_decay;

 private:
  std::vector<Tensor> parameters_;
  std::vector<Tensor> velocity_;
};

}  // namespace stepgrad::nn
