#include "ops/sum.hpp"

#include "core/tape/record.hpp"
#include "core/tensor/reduce.hpp"
#include "ops/expand.hpp"
#include "ops/reshape.hpp"

namespace stepgrad {

// Y = Σ X over some dimensions
// dX = dY, the same for every element of a sum
struct SumBackward final : Node {
  static constexpr Formula formula{"sum", "Y = Σ X", "dX = dY, expanded",
      [](Inputs x, const Attributes& of) { return sum(x[0], dims_of(of.all("dims")), of("keepdim") != 0); },
      Traits{.sums = "summed"}};
  SumBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    x.add_grad(expand(reshape(dY, y_shape), x.shape));  // dX = dY, expanded
  }
  Attributes attributes() const override {
    return {{"summed", {y_shape.begin(), y_shape.end()}}, {"dims", {dims.begin(), dims.end()}},
        {"keepdim", {double(keepdim)}}};
  }
  Input x{this};
  Shape y_shape;  // Y's shape with keepdim
  Dims dims;
  bool keepdim = false;
};

Tensor sum(Arg x, Dims named, bool keepdim) {
  const DimSet dims = dim_set("sum", x.shape(), named);
  auto node = record<SumBackward>(x);
  if (node) {
    node->y_shape = reduced(x.shape(), dims, true);
    node->dims = named, node->keepdim = keepdim;
  }
  const Tensor y = sum_over(x.tensor, dims).with_shape(reduced(x.shape(), dims, keepdim));
  check_counts("sum", y.set_kind(node.kind));
  return on_tape(y, std::move(node));
}

}
