#pragma once

#include "core/tape/modes.hpp"

namespace stepgrad::nn {

// Keeps small gradients from being rounded to zero in a narrow format: the loss is multiplied by a
// scale, and the gradients are divided by it before use. A step whose gradients overflowed is
// skipped and the scale falls; after many good steps it rises (Micikevicius et al. 2017). As
// torch.cuda.amp.GradScaler, for one optimizer:
//
//   scaler.scale(loss).backward();
//   scaler.step(optimizer);
//   scaler.update();
class GradScaler {
 public:
  // ValueError: init_scale not positive, growth_factor not above 1, backoff_factor not in (0, 1),
  // or growth_interval not positive.
  explicit GradScaler(double init_scale = 65536, double growth_factor = 2, double backoff_factor = 0.5,
      int growth_interval = 2000, OpCall = Loc::here());

  Tensor scale(Arg loss) const;

  // Divides the gradients by the scale before step(), for instance to clip them. ValueError:
  // already done since the last update().
  void unscale_(const Tensors& parameters, Loc loc = Loc::here());

  // Returns whether the optimizer took its step: not if a gradient was infinite or NaN. ValueError:
  // already called since the last update().
  bool step(auto& optimizer, Loc loc = Loc::here()) {
    begin_step(loc);
    if (!unscaled_) unscale_(optimizer.parameters(), loc);
    if (!overflowed_) optimizer.step();
    return !overflowed_;
  }

  void update();  // the scale, after each step()

  double get_scale() const { return scale_; }

 private:
  void begin_step(Loc loc);

  double scale_, growth_factor_, backoff_factor_;
  int growth_interval_, good_steps_ = 0;
  bool unscaled_ = false, overflowed_ = false, stepped_ = false;
};

}
