#pragma once

#include <cmath>
#include <string>

#include "core/tensor/shape.hpp"
#include "core/text_stream.hpp"

namespace stepgrad {

inline std::string number(double value) {
  if (std::isnan(value)) return "\"NaN\"";
  if (std::isinf(value)) return value < 0 ? "\"-inf\"" : "\"inf\"";
  TextStream text;  // the same digits in every locale
  text.precision(9);
  text << value;
  return text.str();
}

template <class List, class F>
std::string list(const List& of, F text) {
  std::string joined;
  for (const auto& one : of) joined += (joined.empty() ? "" : ",") + text(one);
  return '[' + joined + ']';
}

inline std::string sizes(const Shape& shape) {
  return list(shape, [](int64_t size) { return std::to_string(size); });
}

}  // namespace stepgrad
