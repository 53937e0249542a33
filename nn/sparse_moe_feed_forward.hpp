#pragma once

#include <vector>

#include "nn/feed_forward.hpp"

namespace stepgrad::nn {

struct MoEOutput {
  Tensor output;        // [.., d_model]
  Tensor balance_loss;  // one number, 1 if the experts are used evenly and n_experts at worst
  Tensor usage;         // [n_experts]: the share of choices of each expert; no gradient
};

// A mixture of experts that sends each position to its k best experts only, so its cost does not
// grow with their number (Shazeer et al. 2017). The output is the weighted sum of their outputs.
// Weights for k = 1: the chosen expert's softmax(gate(x)), as in the Switch Transformer (Fedus et
// al. 2021); for k > 1: these divided by their sum, as in GShard (Lepikhin et al. 2020). An expert
// that no position chose does not run, and its parameters get no gradient.
//
// The balance loss of the Switch Transformer, to be added to the model's loss with a weight like
// 0.01:
//   n_experts Σ_e f_e P_e,  f: the share of choices of expert e,  P: the mean softmax(gate(x))
// over all positions. Its gradient goes through P.
struct SparseMoEFeedForward : Module<SparseMoEFeedForward> {
  // ValueError: a size or number that is not positive, or k > n_experts.
  SparseMoEFeedForward(
      int64_t d_model, int64_t d_ff, int64_t n_experts = 8, int64_t k = 2, double dropout = 0.1, OpCall = Loc::here());

  MoEOutput forward(Tensor x);  // x: [.., d_model]. ShapeError

  void parts(auto visit) { visit("experts", experts), visit("gate", gate); }

  int64_t k;
  std::vector<FeedForward> experts;
  Linear gate;
};

}
