#pragma once

#include <string>

#include "nn/files/state.hpp"

namespace stepgrad::nn {

// Tensors by name in a file that PyTorch, NumPy and others read and write with the package
// safetensors. The names of a PyTorch module's state_dict are those of named_parameters() here:
//
//   save_safetensors("model.safetensors", model.named_parameters());
//   load_safetensors("model.safetensors", model.named_parameters());
//
// The file: the header's length (u64, little-endian); the header, JSON:
//   {"__metadata__": {"format": "pt"}, "w1": {"dtype": "F32", "shape": [2, 8],
//    "data_offsets": [0, 64]}, ...}
// then all data, without holes, at these offsets. Writes floats (F32). Reads F64, F32, F16, BF16,
// integers and booleans.
//
// FileError: cannot be read or written (an existing file is unchanged), two tensors of one name,
// or, with the byte's place, not such a file, or a number that a float does not hold. Uses no more
// memory than the file's size for any part.
void save_safetensors(const std::string& path, const NamedTensors& tensors, Loc loc = Loc::here());
NamedTensors load_safetensors(const std::string& path,
    Loc loc = Loc::here());  // in the order of their data

// Overwrites each tensor with the one of its name, as overwrite() in nn/files/state.hpp.
void load_safetensors(const std::string& path, const NamedTensors& tensors, Loc loc = Loc::here());

}
