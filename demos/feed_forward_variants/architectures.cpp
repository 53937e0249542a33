// Mixture of experts, the adaptive feed-forward, and their block.
#include "demos/feed_forward_variants/parts.hpp"
#include "demos/parts/cell.hpp"
#include "nn/nn.hpp"

namespace stepgrad::demo {

constexpr int64_t d_model = 64, d_ff = 256, n_experts = 8;

// 100 steps of the gate that minimise only the balance loss.
static void balanced(nn::SparseMoEFeedForward& moe, const Tensor& x) {
  nn::SGD optimizer(moe.gate.parameters(), Scalar(0.5));
  for (int step = 0; step < 100; ++step) {
    optimizer.zero_grad();
    moe(x).balance_loss.backward();
    optimizer.step();
  }
}

void mixture_of_experts() {
  cell("MoE", "class MoEFeedForward: every expert at every position, weighted by softmax(gate(x))",
      "class MoEFeedForward: 모든 위치에서 모든 전문가를 softmax(gate(x))로 가중");
  show_definitions({"d_model"});
  RUN(nn::MoEFeedForward moe(d_model, d_ff, n_experts));
  RUN(const Tensor x = Tensor::randn({16, 32, d_model}));
  SHOW(moe(x).shape());
  RUN(const Tensor gate_scores = softmax(moe.gate(x), -1));
  SHOW_AS("each expert's mean gate; together 1", gate_scores.mean({0, 1}));

  cell("Sparse", "In practice each position asks its best experts only, here 2 of 8",
      "실제로는 위치마다 가장 좋은 전문가만, 여기서는 8명 중 2명");
  RUN(nn::SparseMoEFeedForward sparse(d_model, d_ff, n_experts, 2));
  RUN(const auto [output, balance_loss, usage] = sparse(x));
  SHOW(output.shape());
  SHOW_AS("which share of the choices fell on each", usage);
  SHOW_AS("1 if all are used evenly, 8 at worst", balance_loss);
  show_text("all experts " + fixed(milliseconds([&] { return moe(x); }), 2) + " ms, two of them " +
      fixed(milliseconds([&] { return sparse(x); }), 2) + " ms");

  cell("Balance", "A gate that prefers expert 0, before and after learning by the balance loss",
      "전문가 0을 선호하는 게이트: 균형 손실로 학습하기 전과 후");
  {
    const NoGrad no_grad;
    RUN(sparse.gate.bias.copy_(Tensor::of({3, 0, 0, 0, 0, 0, 0, 0})));
  }
  SHOW(sparse(x).usage);
  show_definitions({"balanced"});
  RUN(balanced(sparse, x));
  SHOW(sparse(x).usage);
}

// 50 steps towards an output of zero.
static void learn_nothing(nn::AdaptiveFeedForward& ffn, const Tensor& x) {
  nn::SGD optimizer(ffn.parameters(), Scalar(0.5));
  for (int step = 0; step < 50; ++step) {
    optimizer.zero_grad();
    const Tensor y = ffn(x);
    sum(y * y / 1000).backward();
    optimizer.step();
  }
}

void adaptive() {
  cell("Adaptive", "class AdaptiveFeedForward: as many hidden units as each sequence needs",
      "class AdaptiveFeedForward: 시퀀스마다 필요한 만큼의 은닉 유닛");
  RUN(nn::AdaptiveFeedForward ffn(d_model, 256));
  RUN(const Tensor x = Tensor::randn({3, 10, d_model}));
  SHOW(ffn(x).shape());
  SHOW_AS("units in use, of 256", trunc(ffn.active_dims(x)));
  RUN(ffn(x).sum().backward());
  SHOW_AS("it works", ffn.w_1.weight.grad().shape());
  SHOW_AS("but int() lets no gradient pass to the controller", ffn.dim_controller.weight.grad());

  cell("Ramp", "With units that fade out instead of being cut, the controller learns, too",
      "유닛을 자르지 않고 서서히 줄이면 제어기도 학습한다");
  RUN(nn::AdaptiveFeedForward ramp(d_model, 256, 32));
  RUN(ramp(x).sum().backward());
  SHOW(ramp.dim_controller.weight.grad().shape());
  show_definitions({"learn_nothing"});
  RUN(learn_nothing(ffn, x), learn_nothing(ramp, x));
  SHOW_AS("asked for zeros, the one that is cut stays as it was but for rounding", trunc(ffn.active_dims(x)));
  SHOW_AS("and the other uses fewer units", trunc(ramp.active_dims(x)));
}

void transformer_block() {
  cell("Block", "class TransformerBlock: attention and feed-forward, each added and normalised",
      "class TransformerBlock: 어텐션과 FFN, 각각 더하고 정규화");
  const NoGrad no_grad;
  RUN(nn::TransformerBlock block(512, 8, 2048));
  RUN(const Tensor x = Tensor::randn({1, 4, 512}));
  RUN(const Tensor y = block(x));
  SHOW(y.shape());
  SHOW_AS("post-norm: at each position a mean of 0", y.mean(-1));
  SHOW_AS("and a variance of 1", (y * y).mean(-1));
}

// The number of elements of the matrices below this path.
static int64_t weights(nn::TransformerBlock& block, const char* path) {
  int64_t n = 0;
  for (const auto& [name, p] : block.named_parameters()) {
    if (name.starts_with(path) && p.dim() == 2) n += p.numel();
  }
  return n;
}

void parameter_analysis() {
  cell("Weights", "Attention against feed-forward, counted in a block of 512, 8 heads, 2048",
      "512, 헤드 8개, 2048인 블록에서 어텐션과 FFN의 파라미터 수 비교");
  RUN(nn::TransformerBlock block);
  const int64_t attention = weights(block, "attention."), ffn = weights(block, "ffn.");
  const auto share = [&](const std::string& name, int64_t n) {
    const double percent = 100. * double(n) / double(attention + ffn);
    show_text(name + ": " + with_commas(n) + " (" + fixed(percent, 1) + "%)");
  };
  share("Attention", attention);
  share("FFN", ffn);
  show_definitions({"with_commas"});
  SHOW_AS("with biases and the norms", with_commas(count_parameters(block)));
}

}
