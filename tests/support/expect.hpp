#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "core/check.hpp"
#include "core/tape/node.hpp"
#include "core/tensor/tensor.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message.hpp"

// Checks of values and errors.
namespace stepgrad {

using Values = std::vector<Scalar>;

constexpr Scalar epsilon = std::numeric_limits<Scalar>::epsilon();

// Equal but for the last two digits or so of the largest.
inline auto near(const Values& values) {
  Scalar largest = 1;
  for (Scalar value : values)
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  return Catch::Matchers::Approx(values).epsilon(0).margin(100 * epsilon * largest);
}

// The elements as text: for infinities, NaNs and the sign of a zero.
inline std::string text(const Tensor& x) {
  std::ostringstream out;
  for (Scalar value : x.to_vector()) {
    out << (out.tellp() ? " " : "");
    std::isnan(value) ? out << "nan" : out << value;
  }
  return out.str();
}

// The letters of what y's op has saved.
inline std::string saved_letters(const Tensor& y) {
  std::string letters;
  for (const Saved* saved = y.node()->saved; saved; saved = saved->next)
    if (saved->defined()) letters += saved->letter;
  return letters;
}

// How often the part occurs in the text.
inline int64_t count(const std::string& text, const std::string& part) {
  int64_t found = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}

using namespace stepgrad;  // for each test that includes this
