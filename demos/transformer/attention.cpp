#include "demos/transformer/attention.hpp"

#include <cmath>

#include "core/text_stream.hpp"
#include "demos/parts/cell.hpp"
#include "nn/nn.hpp"

namespace stepgrad::demo {

// x[i]: one sentence of a batch.
static Tensor sentence(const Tensor& x, int64_t i) { return slice(x, 0, i, i + 1).squeeze(0); }

// Checks that no probability is above 0 where `mask` is 1, and prints so. std::logic_error: one is.
static void confirm_masked(const Tensor& attn_prob, const Tensor& mask) {
  const Tensor masked = mask.expand(attn_prob.shape());
  if (sum(gt(attn_prob * masked, 0)).item() > 0 || sum(attn_prob * masked).item() != 0) {
    throw std::logic_error("a masked probability is not 0.");
  }
  const double count = sum(masked).item();
  if (count == 0) return;
  TextStream text;
  text << "Checked: the " << count << " masked probabilities are exactly 0.";
  show_text(text.str());
}

void scaled_dot_product(const Sentences& sentences, const Tensor& input_sums) {
  const Tensor& inputs = sentences.inputs;
  cell("3.", "Scaled dot-product attention", "Scaled dot-product 어텐션");
  show_definitions({"sentence"});
  RUN(const Tensor Q = input_sums, K = input_sums, V = input_sums);
  RUN(const Tensor attn_mask = nn::get_attn_pad_mask(inputs, inputs));
  SHOW(attn_mask.shape());
  SHOW_AS("1 where PyTorch prints True", sentence(attn_mask, 0));
  RUN(const Tensor scores = matmul(Q, K.transpose(-1, -2)));
  SHOW(scores.shape());
  SHOW(sentence(scores, 0));
  RUN(scores.mul_(1 / std::sqrt(d_head)));
  SHOW(scores.shape());
  SHOW_AS("closer together", sentence(scores, 0));
  RUN(scores.masked_fill_(attn_mask, -1e9f));
  SHOW(scores.shape());
  SHOW(sentence(scores, 0));
  RUN(const Tensor attn_prob = softmax(scores, -1));
  SHOW(attn_prob.shape());
  SHOW(sentence(attn_prob, 0));
  confirm_masked(attn_prob, attn_mask);
  RUN(const Tensor context = matmul(attn_prob, V));
  SHOW(context.shape());
  RUN(nn::ScaledDotProductAttention scaled_dot_attn(d_head));
  SHOW_AS("the class", mean(eq(scaled_dot_attn(Q, K, V, attn_mask).output, context)));
}

void multi_head(const Sentences& sentences, const Tensor& input_sums) {
  cell("4.", "Multi-head attention", "멀티 헤드 어텐션");
  const Tensor &inputs = sentences.inputs, Q = input_sums, K = input_sums, V = input_sums;
  RUN(Tensor attn_mask = nn::get_attn_pad_mask(inputs, inputs));
  RUN(const int64_t batch_size = Q.size(0));
  RUN(nn::Linear W_Q(d_hidn, n_head * d_head));
  RUN(nn::Linear W_K(d_hidn, n_head * d_head));
  RUN(nn::Linear W_V(d_hidn, n_head * d_head));
  RUN(Tensor q_s = W_Q(Q));
  SHOW(q_s.shape());
  RUN(q_s = q_s.view({batch_size, -1, n_head, d_head}));
  SHOW(q_s.shape());
  RUN(q_s = q_s.transpose(1, 2));
  SHOW(q_s.shape());
  RUN(const Tensor k_s = W_K(K).view({batch_size, -1, n_head, d_head}).transpose(1, 2));
  RUN(const Tensor v_s = W_V(V).view({batch_size, -1, n_head, d_head}).transpose(1, 2));
  SHOW(k_s.shape());
  SHOW(v_s.shape());
  SHOW(attn_mask.shape());
  RUN(attn_mask = attn_mask.unsqueeze(1).repeat({1, n_head, 1, 1}));
  SHOW(attn_mask.shape());
  RUN(nn::ScaledDotProductAttention scaled_dot_attn(d_head));
  RUN(auto [context, attn_prob] = scaled_dot_attn(q_s, k_s, v_s, attn_mask));
  SHOW(context.shape());
  SHOW(attn_prob.shape());
  confirm_masked(attn_prob, attn_mask);
  RUN(context = context.transpose(1, 2).contiguous().view({batch_size, -1, n_head * d_head}));
  SHOW(context.shape());
  RUN(nn::Linear linear(n_head * d_head, d_hidn));
  RUN(const Tensor output = linear(context));
  SHOW(output.shape());
  RUN(nn::MultiHeadAttention attention(d_hidn, n_head, d_head));
  RUN(attention.W_Q = W_Q, attention.W_K = W_K, attention.W_V = W_V, attention.linear = linear);
  const Tensor pad_mask = nn::get_attn_pad_mask(inputs, inputs);
  SHOW_AS("the class", mean(eq(attention(Q, K, V, pad_mask).output, output)));
}

Tensor masked_multi_head(const Sentences& sentences, const Tensor& input_sums) {
  cell("5.", "Masked multi-head attention: no piece sees those after it",
      "마스크드 멀티 헤드 어텐션: 뒤에 오는 조각은 보지 못한다");
  const Tensor &inputs = sentences.inputs, Q = input_sums, K = input_sums, V = input_sums;
  RUN(const Tensor attn_pad_mask = nn::get_attn_pad_mask(inputs, inputs));
  SHOW(sentence(attn_pad_mask, 0));
  RUN(const Tensor attn_dec_mask = nn::get_attn_decoder_mask(inputs));
  SHOW(sentence(attn_dec_mask, 0));
  RUN(const Tensor attn_mask = gt(attn_pad_mask + attn_dec_mask, 0));
  SHOW_AS("their union", sentence(attn_mask, 0));
  RUN(nn::MultiHeadAttention attention(d_hidn, n_head, d_head));
  RUN(const auto [output, attn_prob] = attention(Q, K, V, attn_mask));
  SHOW(output.shape());
  SHOW(attn_prob.shape());
  confirm_masked(attn_prob, attn_mask.unsqueeze(1));
  return output;
}

}
