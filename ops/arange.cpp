#include "ops/arange.hpp"

#include <numeric>

#include "core/check.hpp"

namespace stepgrad {

Tensor arange(int64_t end) { return arange(0, end); }

Tensor arange(int64_t begin, int64_t end) {
  check<ValueError>(begin <= end, "arange: from ", begin, " to ", end);
  const Tensor y = Tensor::empty({end - begin});
  std::iota(y.data(), y.data() + y.numel(), static_cast<Scalar>(begin));
  return y;
}

}  // namespace stepgrad
