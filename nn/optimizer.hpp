#pragma once

#include <initializer_list>
#include <utility>

#include "core/tensor.hpp"
#include "nn/files/state.hpp"

namespace stepgrad::nn {

// Checks what every optimizer requires. ValueError: a parameter is undefined, not a leaf, or there
// twice, or a setting such as lr is negative or not finite.
void check_optimizer(
    const char* name, const Tensors& parameters, std::initializer_list<std::pair<const char*, double>> settings);

// ShapeError: a state has other names or shapes.
void check_state(const char* name, const NamedTensors& state, const NamedTensors& ours);

}
