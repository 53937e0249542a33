#include "ops/reshape.hpp"

#include "core/check.hpp"
#include "core/tape/record.hpp"

namespace stepgrad {

// Y = X with another shape      dX = dY with X's shape
struct ReshapeBackward final : Node {
  static constexpr Formula formula{"reshape", "Y = X, reshaped", "dX = dY, reshaped",
      [](Inputs x, const Attributes& of) { return reshape(x[0], shape_of(of.all("shape"))); }, Traits{.moves = true}};
  ReshapeBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    x.add_grad(reshape(std::move(dY), x.shape));  // dX = dY with X's shape
  }
  Attributes attributes() const override { return {{"shape", {shape.begin(), shape.end()}}}; }
  Input x{this};
};

namespace {

// `to` with its -1, if any, inferred.
Shape worked_out(const Shape& from, Shape to) {
  const Shape asked = to;
  int unknown = -1;
  for (int dim = 0; dim < asked.dims(); ++dim) {
    if (asked[dim] != -1) continue;
    check<ShapeError>(unknown < 0, "reshape: ", asked, " has two -1");
    to = to.with(unknown = dim, 1);
  }
  check_sizes("reshape", to);
  const int64_t known = to.numel(), n = from.numel();
  check<ShapeError>(unknown < 0 || known || n, "reshape: ", from, " to ", asked, ": any size would do for -1");
  if (unknown >= 0 && known) to = to.with(unknown, n / known);
  check<ShapeError>(to.numel() == n, "reshape: ", from, " to ", asked, ": ", n, " elements do not fit");
  return to;
}

}

Tensor reshape(Arg x, Shape to) {
  to = worked_out(x.shape(), to);
  auto node = record<ReshapeBackward>(x);
  const Tensor from = std::move(x.tensor);  // if it dies here, y is the only owner of the data
  return on_tape(from.with_shape(to), std::move(node));
}

Tensor as_rows(const Tensor& x) { return reshape(x, {x.shape().rows(), x.size(-1)}); }

Tensor unsqueeze(Arg x, int dim) {
  const int dims = x.shape().dims() + 1;
  check<IndexError>(-dims <= dim && dim < dims, "unsqueeze: ", x.shape(), " has no place ", dim);
  const Shape shape = x.shape().insert(dim < 0 ? dim + dims : dim, 1);
  return reshape(std::move(x), shape);
}

Tensor squeeze(Arg x, int dim) {
  const int at = x.shape().index_or_0(dim, "squeeze");
  const Shape shape = x.shape().along(at) == 1 ? x.shape().erase(at) : x.shape();
  return reshape(std::move(x), shape);
}

}
