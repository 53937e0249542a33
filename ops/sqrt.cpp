#include "ops/sqrt.hpp"

#include "core/tape/record.hpp"
#include "core/tensor/elementwise.hpp"
#include "ops/add.hpp"
#include "ops/compare.hpp"
#include "ops/div.hpp"
#include "ops/masked_fill.hpp"
#include "ops/mul.hpp"
#include "ops/where.hpp"

namespace stepgrad {

// Y = √X
// dX = dY/(2Y), but 0 where dY = 0, also for X <= 0, where the formula would give NaN
struct SqrtBackward final : Node {
  static constexpr Formula formula{"sqrt", "Y = √X", "dX = dY/(2Y)", of_each<sqrt>(),
                                   Kind::floating};
  SqrtBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    x.add_grad(masked_fill(dY / (2 * Y), eq(dY, 0), 0));  // dX = dY/(2Y)
  }
  void backward_by_ops(Tensor dY) override {  // also a function of dY where that is 0
    const Tensor counts = ne(dY, 0) + gt(Y, 0);
    x.add_grad(dY / where(counts, 2 * Y, infinity));
  }
  Input x{this};
  Saved Y{this, "Y"};
};

Tensor sqrt(Arg x) {
  auto node = record<SqrtBackward>(x);
  const Tensor y = elementwise(kernels::table().sqrt, x);
  if (node) node->Y = y;
  return on_tape(y, std::move(node));
}

}  // namespace stepgrad
