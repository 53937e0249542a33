#pragma once

#include <concepts>

#include "nn/init.hpp"
#include "nn/linear.hpp"
#include "nn/positionwise_feed_forward.hpp"

namespace stepgrad::nn {

// Begins the linear layers of a model afresh: Xavier weights and zero biases.
//   model.apply([](auto& module) { init_ffn_weights(module); });
template <class Module>
void init_ffn_weights(Module& module) {
  const auto init = [](const Tensor& weight, const Tensor& bias) {
    xavier_uniform_(weight);
    if (bias.defined()) zeros_(bias);
  };
  if constexpr (std::same_as<Module, Linear>) {
    init(module.weight, module.bias);
  } else if constexpr (std::same_as<Module, PositionwiseFeedForward>) {
    init(module.w1, module.b1);
    init(module.w2, module.b2);
  }
}

}  // namespace stepgrad::nn
