#include "ops/top_k_mask.hpp"

#include "core/check.hpp"
#include "core/tape/record.hpp"
#include "ops/topk.hpp"

namespace stepgrad {

static constexpr Formula among_largest{"top_k_mask", "Y = [X is among the k largest of its row]", "",
    [](Inputs x, const Attributes& of) { return top_k_mask(x[0], int64_t(of("k"))); },
    Traits{.pieces = "X where Y", .sums = "...|->...n"}};

// Y[r, i] = 1 for each i in topk(X[r], k).indices. An index has no gradient.
Tensor top_k_mask(Arg x, int64_t k) {
  const int64_t n = x.dim() ? x.shape()[-1] : 1;
  check<ValueError>(1 <= k && k <= n, "top_k_mask: k = ", k, " is not in [1, ", n, "]");
  auto node = record_step<among_largest>({{"k", {double(k)}}}, x);
  const Tensor rows = x.tensor.off_tape().with_shape({x.dim() ? x.shape().rows() : 1, n});
  const Tensor indices = topk(rows, k).indices, y = Tensor::full(x.shape(), 0);
  for (int64_t i = 0; i < indices.numel(); ++i) {
    y.data()[i / k * n + int64_t(indices.data()[i])] = 1;
  }
  return on_tape(y, std::move(node));
}

}
