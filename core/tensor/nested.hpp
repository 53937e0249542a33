#pragma once

#include <cmath>
#include <initializer_list>
#include <type_traits>
#include <vector>

#include "core/tensor/shape.hpp"

namespace stepgrad {

// A number, and whether its type is one of integers.
struct Number {
  template <class T>
  requires std::is_arithmetic_v<T> Number(T number)
      : value(static_cast<double>(number)), whole(std::is_integral_v<T>) {}

  double value;
  bool whole;
};

// Whether a tensor of integers may hold it.
inline bool is_whole(Scalar value) { return std::trunc(value) == value; }  // or infinite

// Numbers in braces in braces, as deep as there are dimensions: {{1, 2}, {3, 4}}.
struct Nested {
  template <class T>
  requires std::is_arithmetic_v<T> Nested(T value)
      : whole(std::is_integral_v<T>), values{static_cast<Scalar>(value)} {}
  Nested(std::initializer_list<Nested> rows);  // ShapeError: of different shapes

  Shape shape;
  bool whole = false;  // all of them are integers
  std::vector<Scalar> values;
};

}  // namespace stepgrad
