#include "ops/index_add.hpp"

#include <algorithm>

#include "core/check.hpp"
#include "core/tape/record.hpp"
#include "core/tensor/elementwise.hpp"
#include "ops/embedding.hpp"

namespace stepgrad {

// Y = X, and then Y[ids[r]] += S[r]         X, Y: [m, n]   S: [rows, n]
// dX = dY      dS[r] = dY[ids[r]]
struct IndexAddBackward final : Node {
  static constexpr Formula formula{"index_add", "Y[ids[r]] = X[ids[r]] + S[r]", "dX = dY   dS[r] = dY[ids[r]]",
      [](Inputs x, const Attributes&) { return index_add(x[0], x[2], x[1]); }};
  IndexAddBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    if (s) {
      Tensor dS = Tensor::empty(s.shape);
      kernels::table().index_select(ids.numel(), dY.size(1), dY.data(), ids.data(), dS.data());
      s.add_grad(std::move(dS));  // dS[r] = dY[ids[r]]
    }
    if (x) x.add_grad(std::move(dY));  // dX = dY
  }
  void backward_by_ops(Tensor dY) override {
    if (s) s.add_grad(embedding(dY, ids));
    if (x) x.add_grad(std::move(dY));
  }
  Input x{this}, s{this}, i{this};
  Saved ids{this, "ids", &i};
};

Tensor index_add(Arg x, Arg ids, Arg source) {
  check_operands("index_add", x, ids, source);
  check<ShapeError>(x.shape().dims() == 2 && source.shape().dims() == 2 && ids.shape() == Shape{source.shape()[0]} &&
          source.shape()[1] == x.shape()[1],
      "index_add: rows of ", source.shape(), " at ", ids.shape(), " ids to ", x.shape());
  check_ids("index_add", ids.tensor, x.shape()[0]);
  auto node = record<IndexAddBackward>(x, source, without_grad(ids));
  if (node) node->ids = ids.tensor;
  const Scalar* from = x.data();
  const Tensor y = output(x.shape(), x);
  if (y.data() != from) std::copy_n(from, y.numel(), y.data());
  kernels::table().index_add(ids.numel(), y.size(1), source.data(), ids.data(), y.data());
  return on_tape(y, std::move(node));
}

}
