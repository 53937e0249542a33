#include "ops/mean.hpp"

#include "core/tape/record.hpp"
#include "core/tensor/reduce.hpp"
#include "ops/div.hpp"
#include "ops/expand.hpp"
#include "ops/reshape.hpp"

namespace stepgrad {

// Y = Σ X / n over some dimensions, n elements each
// dX = dY / n, the same for every element of a sum
struct MeanBackward final : Node {
  static constexpr Formula formula{"mean", "Y = Σ X / n", "dX = dY / n, expanded",
      [](Inputs x, const Attributes& of) { return mean(x[0], dims_of(of.all("dims")), of("keepdim") != 0); },
      Kind::floating, Traits{.sums = "summed"}};
  MeanBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    x.add_grad(expand(reshape(div(std::move(dY), n), y_shape), x.shape));  // dX = dY / n, expanded
  }
  Attributes attributes() const override {
    return {{"summed", {y_shape.begin(), y_shape.end()}}, {"dims", {dims.begin(), dims.end()}},
        {"keepdim", {double(keepdim)}}};
  }
  Input x{this};
  Shape y_shape;  // Y's shape with keepdim
  Dims dims;
  bool keepdim = false;
  int64_t n = 0;
};

Tensor mean(Arg x, Dims named, bool keepdim) {
  const DimSet dims = dim_set("mean", x.shape(), named);
  const Shape y_shape = reduced(x.shape(), dims, true);
  const int64_t n = count_over(x.shape(), dims);
  auto node = record<MeanBackward>(x);
  if (node) node->y_shape = y_shape, node->n = n, node->dims = named, node->keepdim = keepdim;
  const NoGrad no_grad;
  const Tensor y = div(sum_over(x.tensor, dims), n);
  return on_tape(y.with_shape(reduced(x.shape(), dims, keepdim)), std::move(node));
}

}
