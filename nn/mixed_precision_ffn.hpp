#pragma once

#include "core/check.hpp"
#include "core/tape/modes.hpp"
#include "nn/feed_forward.hpp"
#include "ops/half.hpp"

namespace stepgrad::nn {

// A feed-forward whose products use a narrower format, half or bfloat16. Its parameters (master
// weights) and their gradients stay in fp32 (Micikevicius et al. 2017). x, result: [.., d_model].
// ValueError: cast is null.
struct MixedPrecisionFFN : Module<MixedPrecisionFFN> {
  MixedPrecisionFFN(int64_t d_model, int64_t d_ff, double dropout = 0.1, Cast to = half, OpCall = Loc::here())
      : ffn(d_model, d_ff, dropout), cast(to) {
    check<ValueError>(cast, "MixedPrecisionFFN: cast is null");
    name_parameters();
  }

  Tensor forward(Tensor x) {
    const Autocast autocast(cast);
    return ffn(cast(x));
  }

  void parts(auto visit) { visit("ffn", ffn); }

  FeedForward ffn;
  Cast cast;
};

}
