#include "ops/log.hpp"

#include "core/tape/record.hpp"
#include "core/tensor/elementwise.hpp"
#include "ops/add.hpp"
#include "ops/compare.hpp"
#include "ops/div.hpp"
#include "ops/where.hpp"

namespace stepgrad {

// Y = log(X)
// dX = dY/X, but 0 where dY = 0, even for X = 0 or NaN
struct LogBackward final : Node {
  static constexpr Formula formula{"log", "Y = log(X)", "dX = dY/X", of_each<log>(),
                                   Kind::floating};
  LogBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    x.add_grad(elementwise(kernels::table().log_grad, std::move(dY), X));  // dX = dY/X
  }
  void backward_by_ops(Tensor dY) override {
    const Tensor counts = ne(dY, 0) + gt(X, 0) + lt(X, 0);  // else 0/0, or X is NaN
    x.add_grad(dY / where(counts, X, infinity));
  }
  bool takes_shared_gradient() const override { return true; }
  Input x{this};
  Saved X{this, "X", &x};
};

Tensor log(Arg x) {
  auto node = record<LogBackward>(x);
  if (node) node->X = x.tensor;
  return on_tape(elementwise(kernels::table().log, x), std::move(node));
}

}  // namespace stepgrad
