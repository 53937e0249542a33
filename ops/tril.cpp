#include "ops/tril.hpp"

#include <algorithm>

#include "core/check.hpp"
#include "core/tape/modes.hpp"
#include "ops/permute.hpp"
#include "ops/triu.hpp"

namespace stepgrad {

// Y = triu(Xᵀ)ᵀ
Tensor tril(Arg x, int64_t diagonal) {
  check<ShapeError>(x.dim() >= 2, "tril: ", x.shape(), " is no matrix");
  const OpCall call(x);
  diagonal = std::clamp(diagonal, -x.shape()[-2], x.shape()[-1]);  // beyond, nothing changes
  return transpose(triu(transpose(std::move(x), -2, -1), -diagonal), -2, -1);
}

}
