#pragma once

#include "core/autocast.hpp"
#include "nn/positionwise_feed_forward.hpp"
#include "ops/half.hpp"

namespace stepgrad::nn {

// A feed-forward whose products are those of halves; its parameters stay in fp32.
struct MixedPrecisionFFN : Module<MixedPrecisionFFN> {
  MixedPrecisionFFN(int64_t d_model, int64_t d_ff, Scalar dropout = Scalar(0.1))
      : ffn(d_model, d_ff, dropout) {
    name_parameters();
  }

  Tensor forward(Tensor x) {
    const Autocast autocast(half);
    return ffn(half(std::move(x)));
  }

  template <class Visit>
  void parts(Visit visit) {
    visit("ffn", ffn);
  }

  PositionwiseFeedForward ffn;
};

}  // namespace stepgrad::nn
