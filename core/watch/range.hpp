#pragma once

#include <iosfwd>

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// The smallest and largest element of a tensor, and how many are not finite.
struct Range {
  explicit Range(const Tensor& x);
  Range() = default;
  bool finite() const { return nan == 0 && inf == 0; }

  Scalar min = infinity, max = -infinity;  // of the finite elements
  int64_t nan = 0, inf = 0;
};
std::ostream& operator<<(std::ostream& out, const Range& range);  // -1.5 to 2, 3 NaN

std::string short_number(Scalar value);  // in four digits

}
