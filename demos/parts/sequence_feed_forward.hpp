#pragma once

#include "nn/dropout.hpp"

namespace stepgrad::demo {

// A feed-forward along the sequence instead of the features: each feature's numbers at the n
// positions go through the same two layers (token mixing, Tolstikhin et al. 2021). It must not see
// later positions, so its matrices are lower triangles of blocks of `ratio`: hidden unit (t, j)
// sees positions up to t, and position t sees units up to (t, ratio - 1).
// x: [batch, n, d_model]   w1: [n, n * ratio]   w2: [n * ratio, n]
struct SequenceFeedForward : nn::Module<SequenceFeedForward> {
  SequenceFeedForward(int64_t n, int64_t ratio, double dropout);

  Tensor forward(Tensor x);

  void parts(auto visit) {
    visit("w1", w1), visit("b1", b1), visit("w2", w2), visit("b2", b2), visit("dropout", dropout);
  }

  Tensor w1, b1, w2, b2;
  Tensor seen1, seen2;  // 1 where w1 and w2 may be used, else 0; not parameters
  nn::Dropout dropout;
};

}
