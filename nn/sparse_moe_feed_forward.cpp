#include "nn/sparse_moe_feed_forward.hpp"

#include <algorithm>

#include "core/check.hpp"
#include "nn/moe_feed_forward.hpp"
#include "ops/div.hpp"
#include "ops/embedding.hpp"
#include "ops/index_add.hpp"
#include "ops/mul.hpp"
#include "ops/slice.hpp"
#include "ops/softmax.hpp"
#include "ops/top_k_mask.hpp"

namespace stepgrad::nn {

SparseMoEFeedForward::SparseMoEFeedForward(
    int64_t d_model, int64_t d_ff, int64_t n_experts, int64_t k, double dropout, OpCall)
    : k(k), experts(make_experts(n_experts, d_model, d_ff, dropout)), gate(d_model, n_experts) {
  check<ValueError>(1 <= k && k <= n_experts, "SparseMoEFeedForward: k = ", k, " is not in [1, ", n_experts, "]");
  name_parameters();
}

// The rows with a 1 in this column of a 0/1 matrix, as ids: [number of such rows].
static Tensor rows_chosen(const Tensor& chosen, int64_t column) {
  std::vector<Scalar> ids;
  for (int64_t r = 0; r < chosen.size(0); ++r) {
    if (chosen.at(r, column) != 0) ids.push_back(Scalar(r));
  }
  return Tensor::from(ids, {std::ssize(ids)});
}

MoEOutput SparseMoEFeedForward::forward(Tensor x) {
  const Shape shape = x.shape();
  x = x.reshape({shape.rows(), shape.dims() ? shape[-1] : 1});  // [positions, d_model]
  const Tensor scores = softmax(gate(x), -1);                   // [positions, n_experts]
  const Tensor chosen = top_k_mask(scores, k);
  Tensor gates = scores * chosen;
  if (k > 1) gates = gates / gates.sum(-1, true);

  Tensor output = zeros_like(x);
  const auto n_experts = std::ssize(experts);
  for (int64_t e = 0; e < n_experts; ++e) {
    const Tensor ids = rows_chosen(chosen, e);
    if (ids.numel() == 0) continue;
    const Tensor weight = embedding(slice(gates, 1, e, e + 1), ids);  // [chosen, 1]
    output = index_add(output, ids, weight * experts[e](embedding(x, ids)));
  }

  const auto positions = Scalar(std::max<int64_t>(x.size(0), 1));
  const Tensor usage = chosen.sum(0) / (positions * k);
  const Tensor balance_loss = n_experts * (usage * scores.sum(0) / positions).sum();
  return {output.reshape(shape), balance_loss, usage};
}

}
