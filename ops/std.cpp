#include "ops/std.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/tape/record.hpp"
#include "core/tensor/reduce.hpp"
#include "ops/abs.hpp"
#include "ops/amax.hpp"
#include "ops/compare.hpp"
#include "ops/div.hpp"
#include "ops/masked_fill.hpp"
#include "ops/mean.hpp"
#include "ops/mul.hpp"
#include "ops/reshape.hpp"
#include "ops/sqrt.hpp"
#include "ops/sub.hpp"
#include "ops/var.hpp"

namespace stepgrad {

// Y = √var(X)
// dX = dY∘(X - mean X) / (Y (n - correction)), 0 where Y = 0
struct StdBackward final : Node {
  static constexpr Formula formula{"std", "Y = √var(X)", "dX = dY∘(X - mean X) / (Y (n - correction))",
      [](Inputs x, const Attributes& of) {
        return stddev(x[0], dims_of(of.all("dims")), of("keepdim") != 0, of("correction"));
      },
      Kind::floating, Traits{.pieces = "Y > 0", .sums = "summed"}};
  StdBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    const Tensor D = X - mean(X, dims, true), each = reshape(dY, Y.shape()) / degrees / Y;
    x.add_grad(D * masked_fill(each, eq(Y, 0), 0));  // dX = ...
  }
  void backward_by_ops(Tensor dY) override {
    const Tensor D = X - mean(X, dims, true), none = eq(Y, 0);
    const Tensor y = masked_fill(stddev(X, dims, true, correction), none, 1);  // 0·(1/0) is NaN
    x.add_grad(D * masked_fill(reshape(dY, Y.shape()) / degrees / y, none, 0));
  }
  Attributes attributes() const override {
    return {{"summed", {y_shape.begin(), y_shape.end()}}, {"degrees", {degrees}}, {"dims", {dims.begin(), dims.end()}},
        {"keepdim", {double(keepdim)}}, {"correction", {double(correction)}}};
  }
  Input x{this};
  Saved X{this, "X", &x}, Y{this, "Y"};  // Y: with keepdim
  Shape y_shape;                         // with keepdim
  Dims dims;
  bool keepdim = false;
  int64_t correction = 1;
  double degrees = 0;  // n - correction
};

// Whether y² is neither infinite nor subnormal.
static bool squares_are_held(const Tensor& y) {
  static const Scalar least = std::sqrt(std::numeric_limits<Scalar>::min() * 100000);
  return std::all_of(y.data(), y.data() + y.numel(), [](Scalar v) { return least < v && std::isfinite(v); });
}

Tensor stddev(Arg x, Dims named, bool keepdim, int64_t correction) {
  const Shape& shape = x.shape("std");
  const DimSet dims = dim_set("std", shape, named);
  auto node = record<StdBackward>(x);
  const NoGrad no_grad;
  // The mean of equal numbers may be rounded; then the mean of the rest is exact, and they spread
  // by 0.
  const Tensor D = sub(x, mean(x, named, true));
  Tensor y = sqrt(var(D, named, true, correction));
  if (x.numel() > 0 && !squares_are_held(y)) {
    Tensor largest = abs(D);
    for (int dim = 0; dim < shape.dims(); ++dim)
      if (dims.has[dim]) largest = amax(largest, dim, true);
    largest = masked_fill(largest, eq(largest, 0), 1);
    y = largest * sqrt(var(D / largest, named, true, correction));
  }
  if (node) {
    node->X = x.tensor, node->Y = y, node->y_shape = y.shape();
    node->dims = named, node->keepdim = keepdim, node->correction = correction;
    node->degrees = double(count_over(shape, dims)) - double(correction);
  }
  return on_tape(y.with_shape(reduced(shape, dims, keepdim)), std::move(node));
}

}
