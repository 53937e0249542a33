#pragma once

#include <vector>

#include "nn/feed_forward.hpp"

namespace stepgrad::nn {

// A mixture of experts with dense gating (Jacobs et al. 1991): the sum of all experts' outputs,
// weighted by softmax(gate(x)).            x: [.., d_model]
// SparseMoEFeedForward runs only the best experts.
struct MoEFeedForward : Module<MoEFeedForward> {
  // ValueError: a size or number that is not positive.
  MoEFeedForward(int64_t d_model, int64_t d_ff, int64_t n_experts = 8, double dropout = 0.1, OpCall = Loc::here());

  Tensor forward(Tensor x);  // ShapeError: the last size is not d_model

  void parts(auto visit) { visit("experts", experts), visit("gate", gate); }

  std::vector<FeedForward> experts;
  Linear gate;
};

// A list of n experts, each with its own weights.
std::vector<FeedForward> make_experts(int64_t n, int64_t d_model, int64_t d_ff, double dropout);

}
