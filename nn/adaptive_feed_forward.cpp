#include "nn/adaptive_feed_forward.hpp"

#include "core/check.hpp"
#include "ops/add.hpp"
#include "ops/arange.hpp"
#include "ops/clamp.hpp"
#include "ops/compare.hpp"
#include "ops/div.hpp"
#include "ops/gelu.hpp"
#include "ops/mul.hpp"
#include "ops/sigmoid.hpp"
#include "ops/sub.hpp"
#include "ops/trunc.hpp"

namespace stepgrad::nn {

AdaptiveFeedForward::AdaptiveFeedForward(int64_t d_model, int64_t max_d_ff, Scalar ramp, OpCall)
    : max_d_ff(max_d_ff), ramp(ramp), dim_controller(d_model, 1), w_1(d_model, max_d_ff), w_2(max_d_ff, d_model) {
  check<ValueError>(ramp >= 0, "AdaptiveFeedForward: ramp ", ramp, " is negative");
  name_parameters();
}

Tensor AdaptiveFeedForward::active_dims(const Tensor& x, Loc loc) {
  const ModuleCall call(loc);
  return sigmoid(dim_controller(x.mean(1))) * max_d_ff;
}

Tensor AdaptiveFeedForward::forward(Tensor x) {
  check<ShapeError>(x.dim() == 3, "AdaptiveFeedForward: ", x.shape(), " is not [batch, positions, d_model]");
  const Tensor active = active_dims(x).unsqueeze(-1);  // [batch, 1, 1]
  Tensor hidden = gelu(w_1(x));                        // [batch, positions, max_d_ff]
  const Tensor unit = arange(max_d_ff);
  const Tensor mask =  // [batch, 1, max_d_ff]
      ramp == 0 ? unit < trunc(active) : clamp((active - unit) / ramp + 1, 0, 1);
  return w_2(hidden * mask);
}

}
