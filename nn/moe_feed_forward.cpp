#include "nn/moe_feed_forward.hpp"

#include "ops/add.hpp"
#include "ops/mul.hpp"
#include "ops/slice.hpp"
#include "ops/softmax.hpp"

namespace stepgrad::nn {

std::vector<FeedForward> make_experts(int64_t n, int64_t d_model, int64_t d_ff, double dropout) {
  std::vector<FeedForward> experts;
  for (int64_t i = 0; i < n; ++i) experts.emplace_back(d_model, d_ff, dropout);
  return experts;
}

MoEFeedForward::MoEFeedForward(int64_t d_model, int64_t d_ff, int64_t n_experts, double dropout, OpCall)
    : experts(make_experts(n_experts, d_model, d_ff, dropout)), gate(d_model, n_experts) {
  name_parameters();
}

Tensor MoEFeedForward::forward(Tensor x) {
  const Tensor gate_scores = softmax(gate(x), -1);  // [.., n_experts]

  Tensor output = zeros_like(x);
  int64_t i = 0;
  for (FeedForward& expert : experts) {
    output = output + slice(gate_scores, -1, i, i + 1) * expert(x);
    ++i;
  }
  return output;
}

}
