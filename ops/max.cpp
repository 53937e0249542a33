#include "ops/max.hpp"

#include "core/tape/modes.hpp"
#include "ops/amax.hpp"
#include "ops/argmax.hpp"
#include "ops/gather.hpp"
#include "ops/reshape.hpp"

namespace stepgrad {

Tensor max(Arg x) {
  const OpCall call(x);
  return amax(reshape(x, {x.numel()}), 0);
}

Tensor min(Arg x) {
  const OpCall call(x);
  return amin(reshape(x, {x.numel()}), 0);
}

static ValuesAndIndices at(const Tensor& indices, Arg x, int dim, bool keepdim) {
  const OpCall call(x.loc);
  const Tensor values = gather(std::move(x), dim, indices);
  if (keepdim) return {values, indices};
  return {squeeze(values, dim), squeeze(indices, dim)};
}

ValuesAndIndices max(Arg x, int dim, bool keepdim) {
  x.shape().index_or_0(dim, "max");
  return at(argmax(x, dim, true), x, dim, keepdim);
}

ValuesAndIndices min(Arg x, int dim, bool keepdim) {
  x.shape().index_or_0(dim, "min");
  return at(argmin(x, dim, true), x, dim, keepdim);
}

}
