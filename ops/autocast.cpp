#include "ops/autocast.hpp"

#include "core/modes.hpp"
#include "ops/bfloat16.hpp"

namespace stepgrad {

static thread_local Cast rounded_by = nullptr;  // the operands of the product being computed

Tensor autocast(Tensor (*product)(Arg, Arg), Arg a, Arg b) {
  const OpCall call(a.loc);
  const Cast cast = modes.cast;
  const Autocast done(nullptr);
  const Scoped operands(rounded_by, cast);
  return cast(product(cast(std::move(a)), cast(std::move(b))));
}

const kernels::Matmul& matmul_kernels() {
  const kernels::Table& table = kernels::table();
  return rounded_by == bfloat16 ? table.bf16_matmul : table.matmul;
}

}  // namespace stepgrad
