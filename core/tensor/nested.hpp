#pragma once

#include <cmath>
#include <initializer_list>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "core/check.hpp"
#include "core/memory/storage.hpp"
#include "core/tensor/shape.hpp"

namespace stepgrad {

template <class T>
constexpr Kind kind_of_type = std::is_integral_v<T> ? Kind::integer : Kind::floating;

// A number, and the kind of its type.
struct Number {
  template <class T>
  requires std::is_arithmetic_v<T> Number(T number) : value(double(number)), kind(kind_of_type<T>) {}

  double value;
  Kind kind;
};

// Kind::integer if a tensor of integers can hold the value.
inline Kind kind_of(Scalar value) {
  return std::trunc(value) == value ? Kind::integer : Kind::floating;  // or infinite
}

// Whether the Scalar is exactly this integer; not every int64_t has a Scalar, nor a double.
// Compared as integers: on some systems a long double is no wider than a double.
template <class T>
requires std::is_integral_v<T>
constexpr bool is_exactly(Scalar scalar, T value) {
  using Limits = std::numeric_limits<T>;
  constexpr T half = Limits::max() / 2 + 1;
  constexpr Scalar end = 2 * Scalar(half);                   // max + 1, a power of 2
  return scalar >= Scalar(Limits::min()) && scalar < end &&  // false for NaN
      static_cast<T>(scalar) == value && Scalar(static_cast<T>(scalar)) == scalar;
}

// ValueError: an integer that a Scalar does not hold.
template <class T>
Scalar scalar_of(T value, Loc loc) {
  const auto scalar = Scalar(value);
  if constexpr (std::is_integral_v<T>)
    check_at<ValueError>(
        loc, is_exactly(scalar, value), "a tensor of ", value, ": a Scalar does not hold this integer");
  return scalar;
}

// Nested braces of numbers, one level for each dimension: {{1, 2}, {3, 4}}.
struct Nested {
  template <class T>
  requires std::is_arithmetic_v<T> Nested(T value, Loc loc = Loc::here())
      : kind(kind_of_type<T>), values{scalar_of(value, loc)} {}
  // ShapeError: rows of different shapes.
  Nested(std::initializer_list<Nested> rows, Loc loc = Loc::here())
      : Nested(std::span(rows.begin(), rows.end()), loc) {}
  template <class T>
  Nested(const std::vector<T>& rows, Loc loc = Loc::here())
      : Nested(std::vector<Nested>(rows.begin(), rows.end()), loc) {}
  Nested(const std::vector<Nested>& rows, Loc loc = Loc::here()) : Nested(std::span(rows.data(), rows.size()), loc) {}

  Shape shape;
  Kind kind = Kind::floating;  // integer if all of them are
  std::vector<Scalar> values;

 private:
  Nested(std::span<const Nested> rows, CallLine loc);
};

}
