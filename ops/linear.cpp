#include "ops/linear.hpp"

#include "core/check.hpp"
#include "core/tape/record.hpp"
#include "ops/add.hpp"
#include "ops/autocast.hpp"
#include "ops/matmul.hpp"
#include "ops/permute.hpp"
#include "ops/reshape.hpp"

namespace stepgrad {

// Y = X·Wᵀ         X: [.., in]   W: [out, in]   Y: [.., out]
// dX = dY·W        dW = dYᵀ·X
struct LinearBackward final : Node {
  static constexpr Formula formula{
      "linear", "Y = X·Wᵀ", "dX = dY·W   dW = dYᵀ·X", of_two<linear>, Traits{.sums = "...k,nk->...n"}};
  LinearBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    const kernels::Matmul& kernel = kernels::table().matmul;
    if (x) {
      Tensor dX = Tensor::empty(x.shape);
      kernel.nn(product_sizes(x.shape, w.shape[0]), dY.data(), W.data(), dX.data());  // dX = dY·W
      x.add_grad(std::move(dX));
    }
    if (w) {
      Tensor dW = Tensor::empty(w.shape);
      kernel.tn(product_sizes(w.shape, shape.rows()), dY.data(), X.data(),
          dW.data());  // dW = dYᵀ·X
      w.add_grad(std::move(dW));
    }
  }
  void backward_by_ops(Tensor dY) override {
    if (x) x.add_grad(matmul(dY, W));
    if (w) w.add_grad(matmul(t(as_rows(dY)), as_rows(X)));
  }
  Input x{this}, w{this};
  Saved X{this, "X", &x}, W{this, "W", &w};  // X only if w requires a gradient, W only if x does
};

Tensor linear(Arg x, Arg w) {
  check_operands("linear", x, w);
  const Shape from = x.shape(), weight = w.shape();
  check<ShapeError>(weight.dims() == 2 && from.dims() > 0 && from[-1] == weight[1], "linear: x ", from, " and weight ",
      weight, ": not [.., in] and [out, in]");
  if (modes.cast) return autocast(linear, std::move(x), std::move(w));
  auto node = record<LinearBackward>(x, w);
  if (node && node->w) node->X = x.tensor;
  if (node && node->x) node->W = w.tensor;
  const Tensor y = Tensor::empty(from.with(from.dims() - 1, weight[0]));
  kernels::table().matmul.nt(product_sizes(y.shape(), weight[1]), x.data(), w.data(), y.data());
  return on_tape(y, std::move(node));
}

Tensor linear(Arg x, Arg w, Arg bias) {
  check_operands("linear", x, w, bias);
  if (modes.cast) return autocast(linear, std::move(x), std::move(w), std::move(bias));
  const OpCall call(x.loc);
  return add(linear(std::move(x), std::move(w)), std::move(bias));
}

}
