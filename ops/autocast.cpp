#include "ops/autocast.hpp"

#include "core/modes.hpp"
#include "ops/bfloat16.hpp"

namespace stepgrad {

static thread_local Cast rounded_by = nullptr;  // the operands of the product being computed

template <class Product, class... Args>
static Tensor rounded(Product product, Loc loc, Args... args) {
  const OpCall call(loc);
  const Cast cast = modes.cast;
  const Autocast done(nullptr);
  const Scoped operands(rounded_by, cast);
  return cast(product(cast(std::move(args))...));
}

Tensor autocast(Tensor (*product)(Arg, Arg), Arg a, Arg b) {
  return rounded(product, a.loc, std::move(a), std::move(b));
}

Tensor autocast(Tensor (*product_and_sum)(Arg, Arg, Arg), Arg a, Arg b, Arg c) {
  return rounded(product_and_sum, a.loc, std::move(a), std::move(b), std::move(c));
}

const kernels::Matmul& matmul_kernels() {
  const kernels::Table& table = kernels::table();
  return rounded_by == bfloat16 ? table.bf16_matmul : table.matmul;
}

}  // namespace stepgrad
