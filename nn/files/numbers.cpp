#include "nn/files/numbers.hpp"

#include <bit>
#include <cmath>

namespace stepgrad::nn {
namespace {

static_assert(std::endian::native == std::endian::little);

template <class Number>
Number number_at(const char* at) {
  Number number;
  std::memcpy(&number, at, sizeof number);
  return number;
}

template <class Number>
Scalar read(const FileReader& file, const char* at) {
  const auto number = number_at<Number>(at);
  const auto scalar = Scalar(number);
  if constexpr (std::is_integral_v<Number>)
    file.require(is_exactly(scalar, number), +number, " has more digits than a float");
  else
    file.require(std::isinf(scalar) == std::isinf(number), number, " is too large for a float");
  return scalar;
}

// IEEE 754's binary16: 1 bit of sign, 5 of exponent, 10 of fraction.
Scalar read_half(const FileReader&, const char* at) {
  const int bits = number_at<uint16_t>(at), exponent = bits >> 10 & 31, fraction = bits & 1023;
  double value = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  if (exponent == 31) value = fraction ? NAN : INFINITY;
  return Scalar(bits >> 15 ? -value : value);
}

Scalar read_bfloat16(const FileReader&, const char* at) {  // a float's upper half
  return __builtin_bit_cast(float, uint32_t{number_at<uint16_t>(at)} << 16);
}

Scalar read_boolean(const FileReader& file, const char* at) {
  const int value = number_at<uint8_t>(at);
  file.require(value < 2, "a boolean of ", value);
  return Scalar(value);
}

constexpr NumberType types[] = {
    {"F64", Kind::floating, 8, read<double>},
    {"F32", Kind::floating, 4, read<float>},
    {"F16", Kind::floating, 2, read_half},
    {"BF16", Kind::floating, 2, read_bfloat16},
    {"I64", Kind::integer, 8, read<int64_t>},
    {"I32", Kind::integer, 4, read<int32_t>},
    {"I16", Kind::integer, 2, read<int16_t>},
    {"I8", Kind::integer, 1, read<int8_t>},
    {"U64", Kind::integer, 8, read<uint64_t>},
    {"U32", Kind::integer, 4, read<uint32_t>},
    {"U16", Kind::integer, 2, read<uint16_t>},
    {"U8", Kind::integer, 1, read<uint8_t>},
    {"BOOL", Kind::integer, 1, read_boolean},
};

}

const NumberType* number_type(std::string_view name) {
  for (const NumberType& type : types)
    if (type.name == name) return &type;
  return nullptr;
}

int64_t checked_numel(const FileReader& file, const std::vector<int64_t>& sizes) {
  file.require(sizes.size() <= kernels::max_dims, "a tensor of ", sizes.size(), " dimensions");
  try {
    return check_sizes("shape", Shape(sizes));
  } catch (const ShapeError& error) {
    file.require(false, error.what());
    throw;
  }
}

Tensor take_tensor(FileReader& file, const NumberType& type, const Shape& shape) {
  const auto each = size_t(type.bytes);
  const auto room = int64_t(file.left() / each);
  file.require(shape.numel() <= room, shape, " needs more bytes than the ", file.left(),
      " that are there");  // before memory is allocated
  const Tensor tensor = Tensor::empty(shape);
  for (int64_t i = 0; i < tensor.numel(); ++i, file.at += each)
    tensor.data()[i] = type.read(file, file.bytes.data() + file.at);
  return tensor.set_kind(type.kind);
}

std::string float_bytes(const Tensor& x) {
  const std::vector<Scalar> values = x.to_vector();
  const std::vector<float> floats(values.begin(), values.end());
  return {reinterpret_cast<const char*>(floats.data()), floats.size() * sizeof(float)};
}

}
