#include "ops/held.hpp"

#include "core/tape/record.hpp"

namespace stepgrad {

static constexpr Formula held_formula{
    "held", "Y = what was computed from X off the tape", "",
    [](Inputs x, const Attributes& of) {
      const std::vector<double>& shape = of.all("shape");
      const std::vector<int64_t> sizes(shape.begin(), shape.end());
      return held(Tensor::zeros(Shape(std::span<const int64_t>(sizes))), x[0]);
    },
    Traits{.follows = 0}};

Tensor held(Tensor y, Arg x) {
  auto node = record_step<held_formula>({{"shape", {y.shape().begin(), y.shape().end()}}}, x);
  return on_tape(std::move(y), std::move(node));
}

// Not of_each: the loss follows X here, and the gradient does not.
static constexpr Formula detach_formula{"detach", "Y = X", "",
                                        [](Inputs x, const Attributes&) { return detach(x[0]); },
                                        Traits{.cuts = true}};

Tensor detach(Arg x) {
  auto node = record_step<detach_formula>({}, x);
  return on_tape(x.tensor.detach(), std::move(node));
}

}  // namespace stepgrad
