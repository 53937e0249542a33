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

// By lanes, which compilers make vectors of, without a branch for each element.
Range::Range(const Tensor& x) {
  constexpr int64_t lanes = 16;
  const Scalar* const values = x.data();
  const int64_t n = x.numel();
  Scalar low[lanes], high[lanes];
  int odd[lanes] = {};
  std::fill_n(low, lanes, infinity), std::fill_n(high, lanes, -infinity);
  const auto look_at = [&](int64_t i, int64_t lane) {
    const Scalar value = values[i + lane];
    const bool finite = value - value == 0;
    low[lane] = (finite & (value < low[lane])) ? value : low[lane];
    high[lane] = (finite & (value > high[lane])) ? value : high[lane];
    odd[lane] |= !finite;
  };
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes)
    for (int64_t lane = 0; lane < lanes; ++lane) look_at(i, lane);
  for (int64_t lane = 0; lane < n - i; ++lane) look_at(i, lane);
  min = *std::min_element(low, low + lanes), max = *std::max_element(high, high + lanes);
  if (std::count(odd, odd + lanes, 0) == lanes) return;
  nan = std::count_if(values, values + n, [](Scalar value) { return std::isnan(value); });
  inf = std::count_if(values, values + n, [](Scalar value) { return std::isinf(value); });
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

}
