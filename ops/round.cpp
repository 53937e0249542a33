#include "ops/round.hpp"

#include <algorithm>
#include <cmath>

#include "core/tape/record.hpp"

namespace stepgrad {

// Y = the whole number nearest to X. A step has no gradient.
static constexpr Formula nearest{
    "round", "Y = the whole number nearest to X", "", of_each<round>(), Traits{.pieces = "half X", .rounds = true}};

Tensor round(Arg x) {
  auto node = record_step<nearest>({}, x);
  const Tensor y = Tensor::empty(x.shape()).set_kind(x.tensor.kind());
  std::transform(x.data(), x.data() + x.numel(), y.data(), [](Scalar v) { return std::nearbyint(v); });
  return on_tape(y, std::move(node));
}

}
