#include "ops/slice.hpp"

#include "core/check.hpp"
#include "core/tape/record.hpp"
#include "core/tensor/layout.hpp"
#include "ops/concat.hpp"

namespace stepgrad {

// Y = X[.., begin:end]
// dX = dY between zeros
struct SliceBackward final : Node {
  static constexpr Formula formula{"slice", "Y = X[.., begin:end]", "dX = concat(0, dY, 0)",
      [](Inputs x, const Attributes& of) { return slice(x[0], of("dim"), of("begin"), of("end")); },
      Traits{.moves = true}};
  SliceBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    const Tensor before = Tensor::zeros(x.shape.with(dim, begin));
    const Tensor after = Tensor::zeros(x.shape.with(dim, x.shape[dim] - begin - dY.size(dim)));
    x.add_grad(concat({before, dY, after}, dim));  // dX = concat(0, dY, 0)
  }
  Attributes attributes() const override {
    return {{"dim", {double(dim)}}, {"begin", {double(begin)}}, {"end", {double(begin + shape[dim])}}};
  }
  Input x{this};
  int dim = 0;
  int64_t begin = 0;
};

Tensor slice(Arg x, int dim, int64_t begin, int64_t end) {
  const Shape& from = x.shape();
  dim = from.index(dim, "slice");
  const int64_t n = from[dim], first = begin < 0 ? begin + n : begin, last = end < 0 ? end + n : end;
  check<IndexError>(
      0 <= first && first <= last && last <= n, "slice: [", begin, ":", end, "] along dimension ", dim, " of ", from);
  auto node = record<SliceBackward>(x);
  if (node) node->dim = dim, node->begin = first;
  const Shape shape = from.with(dim, last - first);
  if (dim == 0) return on_tape(x.tensor.part(first * from.numel(1, from.dims()), shape), std::move(node));
  const Tensor y = Tensor::empty(shape);
  copy_out(Layout(from).slice(dim, first, last - first), x.data(), y.data());
  return on_tape(y, std::move(node));
}

}
