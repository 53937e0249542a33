#include "ops/arange.hpp"

#include <numeric>

#include "core/check.hpp"

namespace stepgrad {

Tensor arange(int64_t end) { return arange(0, end); }

Tensor arange(int64_t begin, int64_t end) {
  int64_t n;
  check<ValueError>(begin <= end, "arange: from ", begin, " to ", end);
  check<ShapeError>(!__builtin_sub_overflow(end, begin, &n), "arange: from ", begin, " to ", end,
                    " has more elements than memory has addresses");
  const Tensor y = Tensor::empty({n});
  std::iota(y.data(), y.data() + y.numel(), static_cast<Scalar>(begin));
  return y;
}

}  // namespace stepgrad
