#include "ops/expand.hpp"

#include "core/check.hpp"
#include "core/tape/record.hpp"

namespace stepgrad {

// Y[.., i, j] = X[.., 0, j] where X has size 1 and Y has more
// dX = dY, summed over what was stretched: add_grad does that
struct ExpandBackward final : Node {
  static constexpr Formula formula{"expand", "Y = X, stretched", "dX = Σ dY over the stretched",
      [](Inputs x, const Attributes& of) { return expand(x[0], shape_of(of.all("shape"))); }, Traits{.moves = true}};
  ExpandBackward() : Node(formula) {}
  void backward(Tensor dY) override { x.add_grad(std::move(dY)); }  // dX = Σ dY
  Attributes attributes() const override { return {{"shape", {shape.begin(), shape.end()}}}; }
  Input x{this};
};

Tensor expand(Arg x, Shape to) {
  const Shape& from = x.shape();
  const int added = to.dims() - from.dims();
  for (int dim = std::max(added, 0); dim < to.dims(); ++dim) {
    if (to[dim] == -1) to = to.with(dim, from[dim - added]);
  }
  check_sizes("expand", to);
  check<ShapeError>(added >= 0 && broadcast("expand", from, to) == to, "expand: ", from, " does not broadcast to ", to);
  auto node = record<ExpandBackward>(x);
  const Tensor y = Tensor::empty(to);
  kernels::table().copy(strides(to, from, from), x.data(), y.data());
  return on_tape(y, std::move(node));
}

}
