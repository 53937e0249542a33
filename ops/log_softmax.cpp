#include "ops/log_softmax.hpp"

#include "core/tape/record.hpp"
#include "core/tensor/elementwise.hpp"
#include "ops/exp.hpp"
#include "ops/mul.hpp"
#include "ops/permute.hpp"
#include "ops/sub.hpp"
#include "ops/sum.hpp"

namespace stepgrad {

// Y = X - log Σ exp(X)           X, Y: [..., n], the sum over n
// dX = dY - exp(Y) Σ dY
struct LogSoftmaxBackward final : Node {
  static constexpr Formula formula{"log_softmax", "Y = X - log Σ exp(X)", "dX = dY - exp(Y) Σ dY",
      [](Inputs x, const Attributes&) { return log_softmax(x[0]); }, Kind::floating, Traits{.sums = "...|->...n"}};
  LogSoftmaxBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    const Scalar* dy = dY.data();
    Tensor dX = output(dY);
    if (dX.numel() > 0) kernels::table().log_softmax_grad(shape.rows(), shape[-1], dy, Y.data(), dX.data());
    x.add_grad(std::move(dX));  // dX = dY - exp(Y) Σ dY
  }
  void backward_by_ops(Tensor dY) override { x.add_grad(dY - exp(Y) * sum(dY, -1, true)); }
  bool takes_shared_gradient() const override { return true; }
  Input x{this};
  Saved Y{this, "Y"};
};

Tensor log_softmax(Arg x, int dim) {
  if (x.shape().index_or_0(dim, "log_softmax") != x.dim() - 1) return along_last(log_softmax, std::move(x), dim);
  auto node = record<LogSoftmaxBackward>(x);
  const Scalar* data = x.data();
  const Tensor y = output(x.shape(), x);
  if (y.numel() > 0) kernels::table().log_softmax(y.shape().rows(), y.size(-1), data, y.data());
  if (node) node->Y = y;
  return on_tape(y, std::move(node));
}

}
