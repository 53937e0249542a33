#include "ops/softmax.hpp"

#include "core/tape/record.hpp"
#include "core/tensor/elementwise.hpp"
#include "ops/mul.hpp"
#include "ops/permute.hpp"
#include "ops/sub.hpp"
#include "ops/sum.hpp"

namespace stepgrad {

// Y = exp(X) / Σ exp(X)          X, Y: [..., n], the sum over n
// dX = Y∘(dY - Σ Y∘dY)
struct SoftmaxBackward final : Node {
  static constexpr Formula formula{"softmax", "Y = exp(X) / Σ exp(X)", "dX = Y∘(dY - Σ Y∘dY)",
      [](Inputs x, const Attributes&) { return softmax(x[0]); }, Kind::floating, Traits{.sums = "...|->...n"}};
  SoftmaxBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    const Scalar* dy = dY.data();
    Tensor dX = output(dY);
    if (dX.numel() > 0) kernels::table().softmax_grad(shape.rows(), shape[-1], dy, Y.data(), dX.data());
    x.add_grad(std::move(dX));  // dX = Y∘(dY - Σ Y∘dY)
  }
  void backward_by_ops(Tensor dY) override { x.add_grad(Y * (dY - sum(Y * dY, -1, true))); }
  bool takes_shared_gradient() const override { return true; }
  Input x{this};
  Saved Y{this, "Y"};
};

Tensor softmax(Arg x, int dim) {
  if (x.shape().index_or_0(dim, "softmax") != x.dim() - 1) return along_last(softmax, std::move(x), dim);
  auto node = record<SoftmaxBackward>(x);
  const Scalar* data = x.data();
  const Tensor y = output(x.shape(), x);
  if (y.numel() > 0) kernels::table().softmax(y.shape().rows(), y.size(-1), data, y.data());
  if (node) node->Y = y;
  return on_tape(y, std::move(node));
}

}
