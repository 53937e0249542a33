#include "ops/concat.hpp"

#include <algorithm>
#include <deque>
#include <span>

#include "core/check.hpp"
#include "core/record.hpp"
#include "ops/slice.hpp"

namespace stepgrad {

// Y = X₁, X₂, ... one after the other
// dXᵢ = its stretch of dY
struct ConcatBackward final : Node {
  static constexpr Formula formula{"concat", "Y = X₁, X₂, ...", "dXᵢ = dY[.., its stretch]"};
  ConcatBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    int64_t begin = 0;
    for (const Input& x : xs) {
      const int64_t end = begin + x.shape[dim];
      if (x) x.add_grad(slice(dY, dim, begin, end));  // dXᵢ = dY[.., begin:end]
      begin = end;
    }
  }
  std::deque<Input> xs;  // they know each other's addresses
  int dim = 0;
};

static Ref<ConcatBackward> record_concat(const std::vector<Tensor>& xs, int dim, Loc loc) {
  const auto wanted = [](const Tensor& x) { return x.requires_grad(); };
  if (!grad_enabled() || std::none_of(xs.begin(), xs.end(), wanted)) return {};
  Ref<ConcatBackward> node(new ConcatBackward);
  for (const Tensor& x : xs) node->xs.emplace_back(node.get()).connect(x);
  node->dim = dim;
  node->loc = loc;
  node->caller = ModuleCall::outermost();
  return node;
}

Tensor concat(const std::vector<Tensor>& xs, int dim, Loc loc) {
  check<ShapeError>(!xs.empty(), "concat: of no tensors at all");
  const Shape& first = xs[0].shape();
  dim = first.index(dim, "concat");
  int64_t n = 0;
  for (const Tensor& x : xs) {
    check<ShapeError>(x.dim() == first.dims() && x.shape().with(dim, 0) == first.with(dim, 0),
                      "concat: ", first, " and ", x.shape(), " differ not only in dimension ", dim);
    n += x.size(dim);
  }
  auto node = record_concat(xs, dim, loc);
  const Tensor y = Tensor::empty(first.with(dim, n));
  const int64_t outer = Shape(std::span(first.begin(), dim)).numel();
  Scalar* to = y.data();
  for (int64_t o = 0; o < outer; ++o) {
    for (const Tensor& x : xs) {
      const int64_t block = x.numel() / outer;
      to = std::copy_n(x.data() + o * block, block, to);
    }
  }
  return on_tape(y, std::move(node));
}

}  // namespace stepgrad
