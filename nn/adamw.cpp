#include "nn/adamw.hpp"

#include "core/check.hpp"

namespace stepgrad::nn {

AdamW::AdamW(std::vector<Tensor> parameters, double lr, double beta1, double beta2, double eps,
             double weight_decay)
    : lr(lr),
      beta1(beta1),
      beta2(beta2),
      eps(eps),
      weight_decay(weight_decay),
      parameters_(std::move(parameters)),
      states_(parameters_.size()) {
  check<ValueError>(lr >= 0 && eps >= 0 && weight_decay >= 0, "AdamW: lr ", lr, ", eps ", eps,
                    " and weight_decay ", weight_decay, " must not be negative");
  check<ValueError>(0 <= beta1 && beta1 < 1 && 0 <= beta2 && beta2 < 1, "AdamW: betas ", beta1,
                    " and ", beta2, " must be in [0,1)");
}

void AdamW::step() {
  for (size_t i = 0; i < parameters_.size(); ++i) {
    const Tensor& w = parameters_[i];
    const Tensor g = w.grad();
    if (!g.defined()) continue;
    auto& [m, v, t] = states_[i];
    if (t == 0) m = zeros_like(w), v = zeros_like(w);
    ++t;
    kernels::table().adamw(w.numel(), {lr, beta1, beta2, eps, weight_decay, t}, g.data(), w.data(),
                           m.data(), v.data());
    w.increment_version();
  }
}

void AdamW::zero_grad() {
  for (const Tensor& w : parameters_) {
    if (w.grad().defined()) w.grad().zero_();
  }
}

}  // namespace stepgrad::nn
