#include "ops/permute.hpp"

#include <array>

#include "core/check.hpp"
#include "core/tape/record.hpp"
#include "core/tensor/layout.hpp"
#include "core/tensor/reduce.hpp"
#include "ops/reshape.hpp"

namespace stepgrad {

using Order = std::array<int, kernels::max_dims>;
static Tensor permuted(const Tensor& x, const Order& order);
static Tensor permute_by(const Arg& x, const Order& order);
static Order inverse(const Order& order, int dims);

// Y = X with dimension i of Y being dimension order[i] of X
// dX = dY with the dimensions put back
struct PermuteBackward final : Node {
  static constexpr Formula formula{"permute", "Y = X, dimensions reordered", "dX = dY, dimensions put back",
      [](Inputs x, const Attributes& of) { return permute(x[0], dims_of(of.all("order"))); },
      Traits{.sums = "order", .moves = true}};
  PermuteBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    x.add_grad(permuted(dY, inverse(order, dY.dim())));  // dX = dY, dimensions put back
  }
  void backward_by_ops(Tensor dY) override { x.add_grad(permute_by(dY, inverse(order, dY.dim()))); }
  Attributes attributes() const override { return {{"order", {order.begin(), order.begin() + x.shape.dims()}}}; }
  bool takes_shared_gradient() const override { return true; }
  Input x{this};
  Order order{};
};

static Tensor permute_by(const Arg& x, const Order& order) {
  auto node = record<PermuteBackward>(x);
  if (node) node->order = order;
  return on_tape(permuted(x.tensor, order), std::move(node));
}

Tensor permute(Arg x, Dims dims) {
  const Shape& shape = x.shape();
  dim_set("permute", shape, dims);
  check<ShapeError>(int(dims.size()) == shape.dims(), "permute: ", dims.size(), " dimensions named of ", shape);
  Order order{};
  int at = 0;
  for (int dim : dims) order[at++] = shape.index(dim, "permute");
  return permute_by(x, order);
}

Tensor transpose(Arg x, int dim0, int dim1) {
  Order order{0, 1, 2, 3, 4, 5};
  std::swap(order[x.shape().index_or_0(dim0, "transpose")], order[x.shape().index_or_0(dim1, "transpose")]);
  return permute_by(x, order);
}

Tensor t(Arg x) {
  check<ShapeError>(x.dim() <= 2, "t: ", x.shape(), " has more than two dimensions");
  return x.dim() < 2 ? std::move(x.tensor) : transpose(std::move(x), 0, 1);
}

Tensor along_last(Tensor (*op)(Arg, int), Arg x, int dim) {
  const OpCall call(x);
  if (x.dim() == 0) return reshape(op(reshape(std::move(x), {1}), dim), {});
  const int last = x.dim() - 1;
  return transpose(op(transpose(std::move(x), dim, last), last), dim, last);
}

static Tensor permuted(const Tensor& x, const Order& order) {
  const auto dims = size_t(x.dim());
  const Layout layout = Layout(x.shape()).permute({order.data(), dims});
  const Tensor y = Tensor::empty(layout.shape);
  copy_out(layout, x.data(), y.data());
  return y;
}

static Order inverse(const Order& order, int dims) {
  Order result{};
  for (int dim = 0; dim < dims; ++dim) result[order[dim]] = dim;
  return result;
}

}
