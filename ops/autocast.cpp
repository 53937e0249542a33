#include "ops/autocast.hpp"

#include "core/tape/modes.hpp"
#include "ops/bfloat16.hpp"

namespace stepgrad {

static thread_local Cast rounded_by = nullptr;  // the operands of the product being computed

template <class Product, class... Args>
static Tensor rounded(Product product, Arg first, Args... rest) {
  const OpCall call(first.loc);
  const Cast cast = modes.cast;
  const Autocast done(nullptr);
  const Scoped operands(rounded_by, cast);
  return cast(product(cast(std::move(first)), cast(std::move(rest))...));
}

Tensor autocast(Tensor (*product)(Arg, Arg), Arg a, Arg b) {
  return rounded(product, std::move(a), std::move(b));
}

Tensor autocast(Tensor (*product_and_sum)(Arg, Arg, Arg), Arg a, Arg b, Arg c) {
  return rounded(product_and_sum, std::move(a), std::move(b), std::move(c));
}

const kernels::Matmul& matmul_kernels() {
  const kernels::Table& table = kernels::table();
  return rounded_by == bfloat16 ? table.bf16_matmul : table.matmul;
}

}  // namespace stepgrad
