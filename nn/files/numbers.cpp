#include "nn/files/numbers.hpp"

#include <bit>
#include <cmath>

namespace stepgrad::nn {
namespace {

static_assert(std::endian::native == std::endian::little);

// IEEE 754's binary16: 1 bit of sign, 5 of exponent, 10 of fraction.
double half_value(uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  double value =
      exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  if (exponent == 31) value = fraction ? NAN : INFINITY;
  return bits >> 15 ? -value : value;
}

template <class Number>
Number as(uint64_t bits) {
  Number number;
  std::memcpy(&number, &bits, sizeof number);
  return number;
}

// The value of a floating-point number whose bits are in the lowest bytes.
double floating_value(uint64_t bits, NumberType type) {
  if (type.format == Format::brain) return as<float>(bits << 16);
  if (type.bytes == 2) return half_value(static_cast<uint16_t>(bits));
  return type.bytes == 4 ? as<float>(bits) : as<double>(bits);
}

// Whether a Scalar holds it exactly.
template <class Integer>
bool holds(Integer number) {
  const auto value = static_cast<Scalar>(number);
  constexpr auto end = static_cast<Scalar>(std::is_signed_v<Integer> ? 0x1p63 : 0x1p64);
  return value < end && static_cast<Integer>(value) == number;
}

Scalar value(const FileReader& file, uint64_t bits, NumberType type) {
  if (type.format == Format::floating || type.format == Format::brain) {
    const double number = floating_value(bits, type);
    const auto rounded = static_cast<Scalar>(number);
    file.require(std::isinf(rounded) == std::isinf(number), number, " is too large for a float");
    return rounded;
  }
  if (type.format == Format::boolean) {
    file.require(bits < 2, "a boolean of ", bits);
    return static_cast<Scalar>(bits);
  }
  if (type.format == Format::unsigned_) {
    file.require(holds(bits), bits, " has more digits than a float");
    return static_cast<Scalar>(bits);
  }
  const int unused = 64 - 8 * static_cast<int>(type.bytes);
  const int64_t number = static_cast<int64_t>(bits << unused) >> unused;
  file.require(holds(number), number, " has more digits than a float");
  return static_cast<Scalar>(number);
}

}  // namespace

int64_t checked_numel(const FileReader& file, const std::vector<int64_t>& sizes) {
  file.require(sizes.size() <= kernels::max_dims, "a tensor of ", sizes.size(), " dimensions");
  try {
    return check_sizes("shape", Shape(sizes));
  } catch (const ShapeError& error) {
    file.require(false, error.what());
    throw;
  }
}

Tensor take_tensor(FileReader& file, NumberType type, const Shape& shape) {
  const auto each = static_cast<size_t>(type.bytes);
  const auto room = static_cast<int64_t>(file.left() / each);
  file.require(shape.numel() <= room, shape, " needs more bytes than the ", file.left(),
               " that are there");  // before memory is allocated
  const Tensor tensor = Tensor::empty(shape);
  for (int64_t i = 0; i < tensor.numel(); ++i, file.at += each) {
    uint64_t bits = 0;
    std::memcpy(&bits, file.bytes.data() + file.at, each);
    tensor.data()[i] = value(file, bits, type);
  }
  const bool floats = type.format == Format::floating || type.format == Format::brain;
  return tensor.set_kind(floats ? Kind::floating : Kind::integer);
}

std::string float_bytes(const Tensor& x) {
  const std::vector<Scalar> values = x.to_vector();
  const std::vector<float> floats(values.begin(), values.end());
  return {reinterpret_cast<const char*>(floats.data()), floats.size() * sizeof(float)};
}

}  // namespace stepgrad::nn
