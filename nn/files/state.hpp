#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/tensor/tensor.hpp"

namespace stepgrad::nn {

// Tensors by their dotted paths, as module.named_parameters() and optimizer.state() give them.
using NamedTensors = std::vector<std::pair<std::string, Tensor>>;

// A hash of all tensors' numbers, bit by bit and in order, to compare models. FNV-1a; `before`: an
// earlier hash to continue.
constexpr uint64_t hash_of_nothing = 14695981039346656037u;
uint64_t hash(const Tensors& tensors, uint64_t before = hash_of_nothing, Loc loc = Loc::here());

// Overwrites each tensor with the one of its name in `found`, the contents of the file `path`.
// FileError, with nothing overwritten: a name that only one of the two has, or another shape.
void overwrite(const std::string& path, const NamedTensors& found, const NamedTensors& tensors, Loc loc = Loc::here());

}
