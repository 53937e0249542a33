#pragma once

#include <initializer_list>
#include <utility>
#include <vector>

#include "core/tensor.hpp"
#include "nn/files/state.hpp"

namespace stepgrad::nn {

// What every optimizer asks of what it is made with. ValueError: a parameter that is undefined or
// not a leaf, or a setting, lr for instance, that is negative or not finite.
void check_optimizer(const char* name, const std::vector<Tensor>& parameters,
                     std::initializer_list<std::pair<const char*, double>> settings);

// ShapeError: a state is not of these names and shapes.
void check_state(const char* name, const NamedTensors& state, const NamedTensors& ours);

}  // namespace stepgrad::nn
