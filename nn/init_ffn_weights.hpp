#pragma once

#include <concepts>

#include "nn/init.hpp"
#include "nn/linear.hpp"

namespace stepgrad::nn {

// Initialises a model's linear layers again: Xavier weights and zero biases.
//   model.apply([](auto& module) { init_ffn_weights(module); });
template <class Module>
void init_ffn_weights(Module& module) {
  if constexpr (std::same_as<Module, Linear>) {
    xavier_uniform_(module.weight);
    if (module.bias.defined()) zeros_(module.bias);
  }
}

}
