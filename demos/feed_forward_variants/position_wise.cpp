// What a feed-forward is, and why it is position-wise.
#include "demos/feed_forward_variants/parts.hpp"
#include "demos/parts/cell.hpp"
#include "nn/nn.hpp"

namespace stepgrad::demo {

constexpr int64_t batch = 2, seq_len = 128, d_model = 512, d_ff = 2048;

void implementations() {
  cell("Formula", "FFN(x) = σ(x·W₁ + b₁)·W₂ + b₂ at each position; d_ff is usually 4·d_model",
      "각 위치에서 FFN(x) = σ(x·W₁ + b₁)·W₂ + b₂, d_ff는 보통 4·d_model");
  const NoGrad no_grad;
  show_definitions({"d_model"});
  RUN(nn::FeedForward ffn(d_model, d_ff));
  RUN(ffn.eval());
  RUN(const Tensor x = Tensor::randn({batch, seq_len, d_model}));
  RUN(const Tensor W1 = ffn.w_1.weight.transpose(0, 1), W2 = ffn.w_2.weight.transpose(0, 1));
  RUN(const Tensor by_hand = matmul(clamp(matmul(x, W1) + ffn.w_1.bias, 0), W2) + ffn.w_2.bias);
  RUN(const Tensor error = by_hand - ffn(x));
  SHOW_AS("no more than rounding apart", max(abs(error)));

  cell("ReLU", "class PositionwiseFeedForward: w_1, relu, dropout, w_2",
      "class PositionwiseFeedForward: w_1, relu, dropout, w_2 순서로");
  show_definitions({"count_parameters"});
  SHOW(ffn(x).shape());
  SHOW(count_parameters(ffn));

  cell("GELU", "class FeedForwardGELU: the same with another activation",
      "class FeedForwardGELU: 활성화 함수만 다른 같은 구조");
  RUN(nn::FeedForwardGELU ffn_gelu(d_model, d_ff));
  SHOW(ffn_gelu(x).shape());
  SHOW(count_parameters(ffn_gelu));

  cell("GLU", "class GatedFeedForward: gelu(w_gate(x)) ∘ w_value(x), so a third matrix",
      "class GatedFeedForward: gelu(w_gate(x)) ∘ w_value(x), 그래서 행렬이 세 개");
  RUN(nn::GatedFeedForward gated(d_model, d_ff));
  SHOW(gated(x).shape());
  SHOW(count_parameters(gated));
  RUN(nn::SwiGLU swiglu(d_model, d_ff * 2 / 3));
  SHOW_AS("SwiGLU: silu, no biases, and of two thirds the width as many as ReLU's", count_parameters(swiglu));
}

static void efficiency(nn::FeedForward& ffn, const Tensor& input) {
  cell("Why 1.", "Efficiency: a loop over the positions gives what one call gives, but later",
      "효율성: 위치마다 반복해도 한 번에 계산한 것과 같지만 더 느리다");
  RUN(Tensors rows);
  RUN(for (int64_t pos = 0; pos < seq_len; ++pos) rows.push_back(ffn(slice(input, 0, pos, pos + 1))));
  RUN(const Tensor output = concat(rows));
  SHOW_AS("the share of equal numbers, bit by bit", mean(eq(output, ffn(input))));
  const double together = milliseconds([&] { return ffn(input); }), alone = milliseconds([&] {
    for (int64_t pos = 0; pos < seq_len; ++pos) rows[pos] = ffn(slice(input, 0, pos, pos + 1));
  });
  show_text("one after the other " + fixed(alone, 2) + " ms, all at once " + fixed(together, 2) + " ms");
}

static void sharing(nn::FeedForward& ffn, const Tensor& input) {
  cell("Why 2.", "Sharing: the same weights at every position, for any length",
      "공유: 모든 위치에서 같은 가중치, 길이와 상관없이");
  SHOW(ffn(Tensor::randn({1, d_model})).shape());
  SHOW(ffn(Tensor::randn({1000, d_model})).shape());
  SHOW(count_parameters(ffn));
  RUN(const Tensor order = Tensor::of({3, 0, 2, 1}));
  RUN(const Tensor reordered = embedding(input, order));
  SHOW_AS("positions in another order: outputs in that order", mean(eq(ffn(reordered), embedding(ffn(input), order))));
}

static void locality(nn::FeedForward& ffn) {
  cell("Why 3.", "Local: which outputs change with position 2, here and in attention",
      "지역성: 위치 2가 바뀌면 어떤 출력이 바뀌는가, FFN과 어텐션에서");
  RUN(nn::MultiHeadAttention attention(d_model, 8));
  RUN(const Tensor x = Tensor::randn({1, 6, d_model}));
  RUN(const Tensor moved = x + one_hot(2, 6).view({1, 6, 1}));
  RUN(const auto changed = [](Tensor a, Tensor b) { return amax(a != b, -1); });
  SHOW(changed(ffn(moved), ffn(x)));
  SHOW(changed(attention(moved, moved, moved).output, attention(x, x, x).output));
}

void position_wise() {
  const NoGrad no_grad;
  nn::FeedForward ffn(d_model, d_ff);
  ffn.eval();
  const Tensor input = Tensor::randn({seq_len, d_model});
  efficiency(ffn, input);
  sharing(ffn, input);
  locality(ffn);
}

void hidden_size() {
  cell("Hidden", "Expand, then compress; without an activation between, two matrices are one",
      "확장한 뒤 압축; 사이에 활성화 함수가 없으면 두 행렬은 하나와 같다");
  const NoGrad no_grad;
  RUN(nn::FeedForward ffn(d_model, d_ff));
  RUN(const Tensor x = Tensor::randn({seq_len, d_model}));
  SHOW(x.shape());
  RUN(const Tensor hidden = ffn.w_1(x));
  SHOW(hidden.shape());
  SHOW(ffn.w_2(hidden).shape());
  RUN(const Tensor one_matrix = matmul(ffn.w_2.weight, ffn.w_1.weight));
  RUN(const Tensor error = linear(x, one_matrix) - linear(linear(x, ffn.w_1.weight), ffn.w_2.weight));
  SHOW_AS("no more than rounding", max(abs(error)));

  cell("Ratios", "What each d_ff / d_model costs; demos/run experiments trains them: perplexity",
      "d_ff / d_model 비율마다 드는 비용; 학습은 demos/run experiments에서");
  show_text("ratio   d_ff   parameters   ms for " + std::to_string(seq_len) + " positions");
  for (const int64_t ratio : {1, 2, 4, 8}) {
    nn::FeedForward of_ratio(d_model, d_model * ratio);
    const double time = milliseconds([&] { return of_ratio(x); });
    show_text(column(std::to_string(ratio), 8) + column(std::to_string(d_model * ratio), 7) +
        column(with_commas(count_parameters(of_ratio)), 13) + fixed(time, 2));
  }
}

}
