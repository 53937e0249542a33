#include "ops/arange.hpp"

#include <cmath>

#include "core/check.hpp"
#include "core/tape/modes.hpp"

namespace stepgrad {

Tensor arange(Number end, Loc loc) { return arange(0, end, 1, loc); }

Tensor arange(Number first, Number last, Number by, Loc loc) {
  const OpCall call(loc);
  const double begin = first.value, end = last.value, step = by.value;
  check<ValueError>(step != 0 && (end - begin) / step >= 0, "arange: from ", begin, " to ", end, " by ", step);
  const double n = std::ceil((end - begin) / step);
  check<ShapeError>(
      n < 1e18, "arange: from ", begin, " to ", end, " by ", step, " has more elements than memory has addresses");
  const bool integers = begin == std::floor(begin) && step == std::floor(step);
  const Tensor y = Tensor::empty({int64_t(n)});
  for (int64_t i = 0; i < y.numel(); ++i) {
    const double value = begin + double(i) * step;
    y.data()[i] = Scalar(value);
    check<ValueError>(integers ? y.data()[i] == value : i == 0 || y.data()[i] != y.data()[i - 1], "arange: from ",
        begin, " to ", end, " by ", step, ": number ", i, " is between two that there are");
  }
  return y.set_kind(promoted(promoted(first.kind, last.kind), by.kind));
}

}
