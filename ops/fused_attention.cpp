#include "ops/fused_attention.hpp"

#include "core/check.hpp"
#include "core/tape/modes.hpp"
#include "core/tape/record.hpp"
#include "core/tensor/random.hpp"
#include "ops/div.hpp"
#include "ops/dropout_mask.hpp"
#include "ops/masked_fill.hpp"
#include "ops/matmul.hpp"
#include "ops/mul.hpp"
#include "ops/permute.hpp"
#include "ops/softmax.hpp"
#include "ops/triu.hpp"

namespace stepgrad {

// S = scale·Q·Kᵀ, fill where masked      P = softmax(S)      Y = (P∘M / keep)·V
//
// M = dropout_mask(P, keep), keep = 1 - p
// dV = (P∘M / keep)ᵀ·dY      dP = (dY·Vᵀ)∘M / keep      dS = P∘(dP - Σ P∘dP), 0 where masked
// dQ = scale·dS·K            dK = scale·dSᵀ·Q
struct FusedAttentionBackward final : Node {
  static constexpr Formula formula{"fused_attention", "Y = (softmax(scale·Q·Kᵀ)∘M / keep)·V",
      "dQ = scale·dS·K  dK = scale·dSᵀ·Q  dV = (P∘M / keep)ᵀ·dY", nullptr, Kind::floating};
  FusedAttentionBackward() : Node(formula) {}
  void backward(Tensor dY) override;
  bool has_second_gradient() const override { return false; }
  Attributes attributes() const override {
    return {{"scale", {attention.scale}}, {"fill", {attention.fill}}, {"causal", {double(attention.causal)}},
        {"keep", {attention.keep}}};
  }
  Input q{this}, k{this}, v{this};
  Saved Q{this, "Q", &q}, K{this, "K", &k}, V{this, "V", &v}, Mask{this, "mask"};
  kernels::Attention attention{};    // sizes, scale, keep and the mask's counter
  std::vector<int64_t> mask_offset;  // where each head's mask begins
};

void FusedAttentionBackward::backward(Tensor dY) {
  Tensor dQ = Tensor::empty(q.shape), dK = Tensor::empty(k.shape), dV = Tensor::empty(v.shape);
  kernels::table().attention.grad(attention, dY.data(), {dQ.data(), dK.data(), dV.data()});
  if (q) q.add_grad(std::move(dQ));
  if (k) k.add_grad(std::move(dK));
  if (v) v.add_grad(std::move(dV));
}

// Whether all three have the same leading sizes.
static bool alike(const Shape& q, const Shape& k, const Shape& v) {
  bool same = q.dims() >= 2 && k.dims() == q.dims() && v.dims() == q.dims();
  for (int i = 0; same && i < q.dims() - 2; ++i) same = q[i] == k[i] && q[i] == v[i];
  return same;
}

// [.., n_q, n_k]
static Shape checked_scores(const Shape& q, const Shape& k, const Shape& v, const Tensor& mask) {
  constexpr const char* op = "fused_attention";
  const int n = q.dims();
  check<ShapeError>(q[-1] == k[-1] && k[-2] == v[-2], op, ": q ", q, ", k ", k, " and v ", v,
      " are not [.., n_q, d], [.., n_k, d] and [.., n_k, d_v]");
  const Shape scores = q.with(n - 1, k[-2]);
  if (mask.defined())
    check<ShapeError>(broadcast(op, scores, mask.shape()) == scores, op, ": a mask of ", mask.shape(),
        " does not broadcast to ", scores);
  return scores;
}

// Where the mask of each head begins; its strides go to `f`.
static std::vector<int64_t> mask_offsets(const Shape& scores, const Shape& mask, kernels::Attention& f) {
  int64_t stride[kernels::max_dims];
  dense_strides(mask, scores, stride);
  const int lead = scores.dims() - 2;
  f.mask_row = stride[lead], f.mask_column = stride[lead + 1];
  std::vector<int64_t> offsets(f.heads);
  for (int64_t head = 0; head < f.heads; ++head) {
    for (int64_t dim = lead - 1, rest = head; dim >= 0; rest /= scores[dim--])
      offsets[head] += rest % scores[dim] * stride[dim];
  }
  return offsets;
}

// Runs the plain ops: while a ledger is kept (gradients then differ in their last digits), under an
// Autocast, for empty tensors, if leading sizes broadcast, and for sums in pieces.
static Tensor by_plain_ops(
    const Arg& q, const Arg& k, const Arg& v, const Tensor& mask, Scalar scale, Scalar fill, bool causal, double p) {
  const OpCall call(q.loc);
  const auto keep = Scalar(1 - p);
  Tensor s = matmul(q, transpose(k, -1, -2)) * scale;
  if (causal) s = masked_fill(s, triu(Tensor::ones({s.size(-2), s.size(-1)}), 1), fill);
  if (mask.defined()) s = masked_fill(s, mask, fill);
  s = softmax(s, -1);
  if (p > 0) s = s * dropout_mask(s, keep) / keep;
  return matmul(s, v);
}

Tensor fused_attention(Arg q, Arg k, Arg v, const Tensor& mask, Scalar scale, Scalar fill, bool causal, double p) {
  check_operands("fused_attention", q, k, v);
  check<ValueError>(0 <= p && p < 1, "fused_attention: dropout probability ", p, " is not in [0, 1)");
  if (!alike(q.shape(), k.shape(), v.shape())) return by_plain_ops(q, k, v, mask, scale, fill, causal, p);
  const Shape scores = checked_scores(q.shape(), k.shape(), v.shape(), mask);
  const int64_t longest = std::max({scores[-1], scores[-2], q.shape()[-1], v.shape()[-1]});
  if (modes.cast || shows_ops() || q.numel() == 0 || k.numel() == 0 || v.numel() == 0 ||
      longest > kernels::product_piece)
    return by_plain_ops(q, k, v, mask, scale, fill, causal, p);
  auto node = record<FusedAttentionBackward>(q, k, v);
  const kernels::Draw draw = p > 0 ? next_draw(scores) : kernels::Draw{};
  kernels::Attention f{.heads = scores.rows() / scores[-2],
      .n_q = scores[-2],
      .n_k = scores[-1],
      .d = q.shape()[-1],
      .d_v = v.shape()[-1],
      .q = q.data(),
      .k = k.data(),
      .v = v.data(),
      .scale = scale,
      .fill = fill,
      .causal = causal,
      .keep = Scalar(1 - p),
      .seed = draw.seed,
      .call = draw.call,
      .first_row = draw.first_row};
  std::vector<int64_t> offsets;
  if (mask.defined()) {
    offsets = mask_offsets(scores, mask.shape(), f);
    f.mask = mask.data(), f.mask_offset = offsets.data();
  }
  const Tensor y = Tensor::empty(v.shape().with(v.dim() - 2, scores[-2]));
  kernels::table().attention.forward(f, y.data());
  if (node) {
    node->Q = q.tensor, node->K = k.tensor, node->V = v.tensor;
    if (mask.defined()) node->Mask = mask;
    node->mask_offset = std::move(offsets);
    node->attention = f;
    node->attention.mask_offset = node->mask_offset.data();
  }
  return on_tape(y, std::move(node));
}

}
