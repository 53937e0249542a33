#include "ops/stack.hpp"

#include "core/check.hpp"
#include "core/tape/modes.hpp"
#include "ops/concat.hpp"
#include "ops/reshape.hpp"

namespace stepgrad {

Tensor stack(const Tensors& xs, int dim, CallLine loc) {
  check<ShapeError>(!xs.empty(), "stack: of no tensors at all");
  check_operands("stack", xs);
  const OpCall call(loc);
  Tensors parts;
  for (const Tensor& x : xs) {
    check<ShapeError>(x.shape() == xs[0].shape(), "stack: ", xs[0].shape(), " and ", x.shape(), " differ");
    parts.push_back(unsqueeze(x, dim));
  }
  return concat(parts, dim);
}

}
