#include "ops/detach.hpp"

#include "core/tape/record.hpp"

namespace stepgrad {

// Not of_each: the loss follows X here, and the gradient does not.
static constexpr Formula detach_formula{
    "detach", "Y = X", "", [](Inputs x, const Attributes&) { return detach(x[0]); }, Traits{.cuts = true}};

Tensor detach(Arg x) {
  auto node = record_step<detach_formula>({}, x);
  return on_tape(x.tensor.off_tape(), std::move(node));
}

Tensor Tensor::detach(Loc loc) const {
  impl("detach", loc);
  return stepgrad::detach({*this, loc});
}

// The loss does not follow X here: what is computed from it is the same for every X.
static constexpr Formula shift_formula{
    "shift", "Y = X, which cancels", "", of_each([](Inputs x, const Attributes&) { return shift(x[0]); })};

Tensor shift(Arg x) {
  auto node = record_step<shift_formula>({}, x);
  return on_tape(x.tensor.off_tape(), std::move(node));
}

}
