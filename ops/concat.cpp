#include "ops/concat.hpp"

#include <algorithm>
#include <deque>

#include "core/check.hpp"
#include "core/tape/record.hpp"
#include "ops/slice.hpp"

namespace stepgrad {

// Y = X₁, X₂, ... one after the other
// dXᵢ = its stretch of dY
struct ConcatBackward final : Node {
  static constexpr Formula formula{"concat", "Y = X₁, X₂, ...", "dXᵢ = dY[.., its stretch]",
      [](Inputs x, const Attributes& of) {
        return concat({x.begin(), x.end()}, of("dim"));
      },
      Traits{.moves = true}};
  ConcatBackward(size_t n, int dim) : Node(formula), dim(dim) {
    while (xs.size() < n) xs.emplace_back(this);
  }
  void backward(Tensor dY) override {
    int64_t begin = 0;
    for (const Input& x : xs) {
      const int64_t end = begin + x.shape[dim];
      if (x) x.add_grad(slice(dY, dim, begin, end));  // dXᵢ = dY[.., begin:end]
      begin = end;
    }
  }
  Attributes attributes() const override { return {{"dim", {double(dim)}}}; }
  std::deque<Input> xs;  // they know each other's addresses
  int dim;
};

Tensor concat(const Tensors& xs, int dim, CallLine loc) {
  check<ShapeError>(!xs.empty(), "concat: of no tensors at all");
  check_operands("concat", xs);
  const Shape& first = xs[0].shape();
  dim = first.index(dim, "concat");
  int64_t n = 0;
  std::vector<Arg> listed;  // for a page, if one is refused
  listed.reserve(xs.size());
  for (const Tensor& x : xs)
    if (ListedOperand::on) listed.emplace_back(x, loc);
  std::vector<const Tensor*> operands;
  for (const Tensor& x : xs) {
    check<ShapeError>(x.dim() == first.dims() && x.shape().with(dim, 0) == first.with(dim, 0), "concat: ", first,
        " and ", x.shape(), " differ not only in dimension ", dim);
    n += x.size(dim);
    check_sizes("concat", first.with(dim, n));
    operands.push_back(&x);
  }
  auto node = record<ConcatBackward>(operands, loc, xs.size(), dim);
  const Tensor y = Tensor::empty(first.with(dim, n));
  const int64_t outer = y.numel() ? first.numel(0, dim) : 0;
  Scalar* to = y.data();
  for (int64_t o = 0; o < outer; ++o) {
    for (const Tensor& x : xs) {
      const int64_t block = x.numel() / outer;
      to = std::copy_n(x.data() + o * block, block, to);
    }
  }
  return on_tape(y, std::move(node));
}

}
