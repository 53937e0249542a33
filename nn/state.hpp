#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/tensor/tensor.hpp"

namespace stepgrad::nn {

// Parameters in a file, under their dotted paths:
//
//   save_parameters("model.bin", model.named_parameters());
//   load_parameters("model.bin", model.named_parameters());
//
// The file, all numbers little-endian:
//   "stepgrad", version 1: u32, number of tensors: u32
//   each tensor: length of its name: u32, the name, number of sizes: u32, each size: i64,
//                each element: f32, row-major
//   FNV-1a hash of all that: u64
using NamedTensors = std::vector<std::pair<std::string, Tensor>>;

// FileError: two of one name, or it cannot be written; a file that was there is still the old one.
void save_parameters(const std::string& path, const NamedTensors& tensors);

// The tensors that a file holds. FileError: cannot be read, or is not such a file.
NamedTensors load_tensors(const std::string& path);

// Overwrites each tensor with the one of its name. FileError as above, or: a name that only one of
// the two has, or another shape. Nothing is overwritten then.
void load_parameters(const std::string& path, const NamedTensors& tensors);

// The numbers of all tensors, bit by bit and in their order, in one: whether two models are the
// same. FNV-1a, which may go on from an earlier one.
constexpr uint64_t hash_of_nothing = 14695981039346656037u;
uint64_t hash(const std::vector<Tensor>& tensors, uint64_t before = hash_of_nothing);

// load_parameters with what a file at `path`, of whatever format, was found to hold.
void overwrite(const std::string& path, const NamedTensors& found, const NamedTensors& tensors);

}  // namespace stepgrad::nn
