#include "ops/autocast.hpp"

#include "core/tape/modes.hpp"

namespace stepgrad {

template <class... Args>
static Tensor rounded(auto product, Arg first, Args... rest) {
  const OpCall call(first.loc);
  const Cast cast = modes.cast;
  const Autocast done(nullptr);
  return cast(product(cast(std::move(first)), cast(std::move(rest))...));
}

Tensor autocast(Tensor (*product)(Arg, Arg), Arg a, Arg b) { return rounded(product, std::move(a), std::move(b)); }

Tensor autocast(Tensor (*product_and_sum)(Arg, Arg, Arg), Arg a, Arg b, Arg c) {
  return rounded(product_and_sum, std::move(a), std::move(b), std::move(c));
}

}
