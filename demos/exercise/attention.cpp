// Exercise: attention, one head: softmax(Q·Kᵀ/√d + mask)·V
// Hint: Each query meets each key in a product; those that are masked must weigh nothing before
// the weights are made to add up to 1. d is the size of a query.
// Where: scores, [.., n_q, n_k], divided by the root of q.size(-1); masked_fill with -1e9, if
// there is a mask; softmax along the keys; a product with v.
#include "demos/exercise/exercise.hpp"

namespace stepgrad::exercise {

// q: [.., n_q, d]   k: [.., n_k, d]   v: [.., n_k, d_v]   mask, or undefined: [n_q, n_k], 1 where a
// query must not look at a key. Returns [.., n_q, d_v].
Tensor attention(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask) {
  //> compute it
  Tensor scores = matmul(q, k.transpose(-2, -1)) / std::sqrt(Scalar(q.size(-1)));
  if (mask.defined()) scores = masked_fill(scores, mask, -1e9);
  return matmul(softmax(scores, -1), v);
  //< return v;
}

}  // namespace stepgrad::exercise
