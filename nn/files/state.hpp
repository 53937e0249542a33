#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/tensor/tensor.hpp"

namespace stepgrad::nn {

// Tensors by their dotted paths, as module.named_parameters() and optimizer.state() give them.
using NamedTensors = std::vector<std::pair<std::string, Tensor>>;

// The numbers of all tensors, bit by bit and in their order, in one: whether two models are the
// same. FNV-1a, which may go on from an earlier one.
constexpr uint64_t hash_of_nothing = 14695981039346656037u;
uint64_t hash(const std::vector<Tensor>& tensors, uint64_t before = hash_of_nothing);

// Overwrites each tensor with the one of its name that a file at `path` was found to hold.
// FileError: a name that only one of the two has, or another shape. Nothing is overwritten then.
void overwrite(const std::string& path, const NamedTensors& found, const NamedTensors& tensors);

}  // namespace stepgrad::nn
