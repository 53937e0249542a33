#include "nn/grad_scaler.hpp"

#include <algorithm>
#include <cmath>

#include "core/check.hpp"
#include "core/tape/modes.hpp"
#include "ops/mul.hpp"

namespace stepgrad::nn {

GradScaler::GradScaler(double init_scale, double growth_factor, double backoff_factor, int growth_interval, OpCall)
    : scale_(init_scale),
      growth_factor_(growth_factor),
      backoff_factor_(backoff_factor),
      growth_interval_(growth_interval) {
  check<ValueError>(init_scale > 0, "GradScaler: init_scale ", init_scale, " is not positive");
  check<ValueError>(growth_factor > 1, "GradScaler: growth_factor ", growth_factor, " is not greater than 1");
  check<ValueError>(0 < backoff_factor && backoff_factor < 1, "GradScaler: backoff_factor ", backoff_factor,
      " is not between 0 and 1");
  check<ValueError>(growth_interval > 0, "GradScaler: growth_interval ", growth_interval, " is not positive");
}

Tensor GradScaler::scale(Arg loss) const {
  const OpCall call(loss);
  return mul(loss, scale_);
}

void GradScaler::unscale_(const Tensors& parameters, Loc loc) {
  const OpCall call(loc);
  check<ValueError>(!unscaled_, "GradScaler: unscaled already since the last update()");
  check_operands("unscale_", parameters);
  const NoGrad no_grad;
  const Tensor factor = Tensor::full({}, Scalar(1 / scale_));
  unscaled_ = true;
  const auto is_finite = [](Scalar value) { return std::isfinite(value); };
  for (const Tensor& parameter : parameters) {
    const Tensor grad = parameter.grad();
    if (!grad.defined()) continue;
    grad.mul_(factor);
    if (!std::all_of(grad.data(), grad.data() + grad.numel(), is_finite)) overflowed_ = true;
  }
}

void GradScaler::begin_step(Loc loc) {
  check_at<ValueError>(loc, !stepped_, "GradScaler: step() was called already since the last update()");
  stepped_ = true;
}

void GradScaler::update() {
  good_steps_ = overflowed_ ? 0 : good_steps_ + 1;
  if (overflowed_) scale_ *= backoff_factor_;
  if (good_steps_ == growth_interval_) scale_ *= growth_factor_, good_steps_ = 0;
  unscaled_ = overflowed_ = stepped_ = false;
}

}
