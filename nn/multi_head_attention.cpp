#include "nn/multi_head_attention.hpp"

#include "core/check.hpp"

namespace stepgrad::nn {

static int64_t shared_among(int64_t d_model, int64_t n_head) {
  check<ValueError>(n_head > 0 && d_model % n_head == 0, "MultiHeadAttention: d_model ", d_model,
      " is not a multiple of n_head ", n_head);
  return d_model / n_head;
}

static int64_t all_heads(int64_t n_head, int64_t d_head) {
  int64_t size = 0;
  check<ValueError>(n_head > 0 && d_head > 0 && !__builtin_mul_overflow(n_head, d_head, &size),
      "MultiHeadAttention: n_head ", n_head, " and d_head ", d_head, " must be positive, and few enough to count");
  return size;
}

MultiHeadAttention::MultiHeadAttention(int64_t d_model, int64_t n_head, OpCall)
    : MultiHeadAttention(d_model, n_head, shared_among(d_model, n_head)) {}

MultiHeadAttention::MultiHeadAttention(int64_t d_model, int64_t n_head, int64_t d_head, OpCall)
    : n_head(n_head),
      d_head(d_head),
      W_Q(d_model, all_heads(n_head, d_head)),
      W_K(d_model, all_heads(n_head, d_head)),
      W_V(d_model, all_heads(n_head, d_head)),
      scaled_dot_attn(d_head),
      linear(n_head * d_head, d_model) {
  name_parameters();
}

static void check_shapes(const Shape& q, const Shape& k, const Shape& v, const Tensor& mask) {
  constexpr const char* op = "MultiHeadAttention";
  check<ShapeError>(q.dims() == 3 && k == v && k.dims() == 3 && q[0] == k[0], op, ": Q ", q, ", K ", k, " and V ", v,
      " are not [batch, positions, d_model], K and V alike");
  if (!mask.defined()) return;
  const Shape scores{q[0], q[1], k[1]};
  bool fits = mask.dim() <= 3;
  for (int i = 1; fits && i <= mask.dim(); ++i) {
    fits = mask.size(-i) == 1 || mask.size(-i) == scores[-i];
  }
  check<ShapeError>(fits, op, ": a mask of ", mask.shape(), " does not broadcast to [batch, n_q, n_k] = ", scores);
}

// [batch, n, n_head * d_head] -> [batch, n_head, n, d_head]
Tensor MultiHeadAttention::split_heads(const Tensor& x) const {
  return x.view({x.size(0), x.size(1), n_head, d_head}).transpose(1, 2);
}

Attended MultiHeadAttention::forward(Tensor Q, Tensor K, Tensor V, Tensor attn_mask) {
  check_operands("MultiHeadAttention", Arg(Q), Arg(K), Arg(V));
  check_shapes(Q.shape(), K.shape(), V.shape(), attn_mask);
  const int64_t batch_size = Q.size(0), n_q = Q.size(1);

  // [batch, n_head, n, d_head]
  Tensor q_s = split_heads(W_Q(Q));
  Tensor k_s = split_heads(W_K(K));
  Tensor v_s = split_heads(W_V(V));

  // [batch, 1, n_q, n_k]: the same for every head
  if (attn_mask.defined() && attn_mask.dim() == 3) attn_mask = attn_mask.unsqueeze(1);

  // [batch, n_head, n_q, d_head], [batch, n_head, n_q, n_k]
  auto [context, attn_prob] = scaled_dot_attn(q_s, k_s, v_s, attn_mask);
  // [batch, n_q, n_head * d_head]
  context = context.transpose(1, 2).view({batch_size, n_q, n_head * d_head});
  return {linear(context), attn_prob};
}

}
