#pragma once

#include "nn/feed_forward.hpp"
#include "ops/checkpoint.hpp"

namespace stepgrad::nn {

// A feed-forward whose hidden layer, [.., d_ff], is not saved for backward but recomputed. x,
// result: [.., d_model]
struct CheckpointedFFN : Module<CheckpointedFFN> {
  CheckpointedFFN(int64_t d_model, int64_t d_ff, double dropout = 0.1, OpCall = Loc::here())
      : ffn(d_model, d_ff, dropout) {
    name_parameters();
  }

  Tensor forward(Tensor x) { return checkpoint(ffn, x); }

  void parts(auto visit) { visit("ffn", ffn); }

  FeedForward ffn;
};

}
