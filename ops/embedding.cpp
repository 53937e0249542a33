#include "ops/embedding.hpp"

#include "core/check.hpp"
#include "core/tape/record.hpp"
#include "ops/index_add.hpp"
#include "ops/reshape.hpp"

namespace stepgrad {

// Y[r] = W[ids[r]]                W: [n, d]   ids: [..]   Y: [.., d]
// dW[i] = Σ dY[r] over the r with ids[r] = i
struct EmbeddingBackward final : Node {
  static constexpr Formula formula{"embedding", "Y[r] = W[ids[r]]", "dW[ids[r]] += dY[r]",
      [](Inputs x, const Attributes&) { return embedding(x[0], x[1]); }, Traits{.moves = true, .mask = "ids"}};
  EmbeddingBackward() : Node(formula) {}
  void backward(Tensor dY) override {
    Tensor dW = Tensor::zeros(w.shape);
    kernels::table().index_add(ids.numel(), w.shape[1], dY.data(), ids.data(), dW.data());
    w.add_grad(std::move(dW));  // dW[ids[r]] += dY[r]
  }
  void backward_by_ops(Tensor dY) override {
    w.add_grad(index_add(Tensor::zeros(w.shape), reshape(ids, {-1}), as_rows(dY)));
  }
  Input w{this}, i{this};
  Saved ids{this, "ids", &i};
};

Tensor embedding(Arg w, Arg ids) {
  check_operands("embedding", w, ids);
  check<ShapeError>(w.shape().dims() == 2, "embedding: a table of ", w.shape(), " is not [n, d]");
  check_ids("embedding", ids.tensor, w.shape()[0]);
  auto node = record<EmbeddingBackward>(w, without_grad(ids));
  if (node) node->ids = ids.tensor;
  const int64_t d = w.shape()[1];
  const Tensor y = Tensor::empty(ids.shape().insert(ids.shape().dims(), d));
  kernels::table().index_select(ids.numel(), d, w.data(), ids.data(), y.data());
  return on_tape(y, std::move(node));
}

}
