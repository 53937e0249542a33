#pragma once

#include <string>

#include "core/tensor/tensor.hpp"

namespace stepgrad::nn {

// A tensor as a NumPy .npy file (numpy.load, numpy.save). Writes floats in row-major order. Reads
// floats of 16, 32 and 64 bits, integers and booleans, in either byte order and order of
// dimensions. FileError, with the byte's place: not such a file, a number that a float does not
// hold, or bytes after the array. FileError: cannot be read or written.
void save_npy(const std::string& path, const Tensor& tensor);
Tensor load_npy(const std::string& path);

}  // namespace stepgrad::nn
