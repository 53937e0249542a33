#pragma once

#include "nn/linear.hpp"

namespace stepgrad::nn {

// A feed-forward that decides for each sequence how many of its hidden units to use: max_d_ff ·
// sigmoid(dim_controller(mean of x over the positions)).
//
// With ramp = 0 that number is truncated, x.int(), which passes no gradient: the controller never
// learns. With a ramp, that many units fade out, as in Adaptive Attention Span (Sukhbaatar et al.
// 2019): unit j has the weight clamp((active - j) / ramp + 1, 0, 1), and the controller learns
// through those in between.
//   x: [batch, positions, d_model]
struct AdaptiveFeedForward : Module<AdaptiveFeedForward> {
  // ValueError: a size that is not positive, or a negative ramp.
  explicit AdaptiveFeedForward(int64_t d_model, int64_t max_d_ff = 4096, Scalar ramp = 0, OpCall = Loc::here());

  Tensor forward(Tensor x);  // ShapeError

  // How many units each sequence uses, before truncation: [batch, 1]
  Tensor active_dims(const Tensor& x, Loc loc = Loc::here());

  void parts(auto visit) { visit("dim_controller", dim_controller), visit("w_1", w_1), visit("w_2", w_2); }

  int64_t max_d_ff;
  Scalar ramp;
  Linear dim_controller, w_1, w_2;
};

}
