#pragma once

#include <initializer_list>
#include <type_traits>
#include <vector>

#include "core/shape.hpp"

namespace stepgrad {

// Numbers of any type in braces in braces, as deep as there are dimensions: {{1, 2}, {3, 4}}.
struct Nested {
  template <class Number>
  requires std::is_arithmetic_v<Number> Nested(Number number)
      : values{static_cast<Scalar>(number)} {}
  Nested(std::initializer_list<Nested> rows);  // ShapeError: of different shapes

  Shape shape;
  std::vector<Scalar> values;
};

}  // namespace stepgrad
