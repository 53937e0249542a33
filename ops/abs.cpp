#include "ops/abs.hpp"

#include "core/tape/record.hpp"
#include "ops/add.hpp"
#include "ops/compare.hpp"
#include "ops/masked_fill.hpp"
#include "ops/mul.hpp"
#include "ops/neg.hpp"
#include "ops/relu.hpp"
#include "ops/sub.hpp"

namespace stepgrad {

// Y = |X|
// dX = dY∘sign X
struct AbsBackward final : Node {
  static constexpr Formula formula{"abs", "Y = |X|", "dX = dY∘sign X", of_each<abs>(), Traits{.pieces = "X > 0"}};
  AbsBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    x.add_grad(std::move(dY) * (gt(X, 0) - lt(X, 0)));  // dX = dY∘sign X
  }
  void backward_by_ops(Tensor dY) override {
    x.add_grad(dY * (gt(X, 0) - lt(X, 0) + masked_fill(X, 1, 0)));  // + 0, so that 0 is its slope
  }
  Input x{this};
  Saved X{this, "X", &x};
};

Tensor abs(Arg x) {
  auto node = record<AbsBackward>(x);
  if (node) node->X = x.tensor;
  const NoGrad no_grad;
  return on_tape(relu(x.tensor) + relu(-x.tensor), std::move(node));
}

}
