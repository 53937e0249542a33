#include "ops/trunc.hpp"

#include "core/tape/record.hpp"
#include "core/tensor/elementwise.hpp"

namespace stepgrad {

// Y = X without its fraction. A step has no gradient.
static constexpr Formula whole_part{
    "trunc", "Y = X without its fraction", "", of_each<trunc>(), Traits{.pieces = "whole X", .rounds = true}};

Tensor trunc(Arg x) {
  auto node = record_step<whole_part>({}, x);
  const Kind kind = x.tensor.kind();
  return on_tape(elementwise(kernels::table().trunc, x).set_kind(kind), std::move(node));
}

}
