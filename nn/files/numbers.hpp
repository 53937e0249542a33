#pragma once

#include <string_view>

#include "core/tensor/tensor.hpp"
#include "nn/files/file_reader.hpp"

namespace stepgrad::nn {

// How other programs write a number.
struct NumberType {
  std::string_view name;  // in a safetensors file: "F32"
  Kind kind = Kind::floating;
  int64_t bytes = 0;
  Scalar (*read)(const FileReader& file, const char* at) = nullptr;
};
const NumberType* number_type(std::string_view name);  // null: there is no such type

// A shape's number of elements. FileError: more dimensions than supported, or too many elements.
int64_t checked_numel(const FileReader& file, const std::vector<int64_t>& sizes);

// Reads a tensor's numbers. Doubles are rounded. FileError: the file ends early, an integer that a
// float does not hold, a double beyond the largest float, or a boolean that is neither 0 nor 1.
Tensor take_tensor(FileReader& file, const NumberType& type, const Shape& shape);

// The elements as little-endian floats.
std::string float_bytes(const Tensor& x);

}
