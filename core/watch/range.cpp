#include "core/watch/range.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ostream>

namespace stepgrad {

std::string short_number(Scalar value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", double{value});
  return text;
}

Range::Range(const Tensor& x) {
  for (const Scalar *value = x.data(), *end = value + x.numel(); value < end; ++value) {
    if (std::isfinite(*value)) {
      min = std::min(min, *value);
      max = std::max(max, *value);
    } else {
      ++(std::isnan(*value) ? nan : inf);
    }
  }
}

std::ostream& operator<<(std::ostream& out, const Range& range) {
  if (range.min <= range.max)
    out << short_number(range.min) << " to " << short_number(range.max);
  else
    out << "no finite number";
  if (range.nan) out << ", " << range.nan << " NaN";
  if (range.inf) out << ", " << range.inf << " Inf";
  return out;
}

}  // namespace stepgrad
