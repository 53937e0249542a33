#pragma once

#include <string>

#include "core/tensor/tensor.hpp"

namespace stepgrad::nn {

// A tensor as NumPy's .npy file (numpy.load, numpy.save), written as floats in row-major order.
// Read are floats of 16, 32 and 64 bits, integers and booleans, under all names that NumPy has for
// them, by Python 2 and 3, of either byte order and in either order of dimensions. FileError:
// cannot be read or written, or with the byte's place: is not such a file, a number that a float
// does not hold, or anything behind the array.
void save_npy(const std::string& path, const Tensor& tensor);
Tensor load_npy(const std::string& path);

}  // namespace stepgrad::nn
