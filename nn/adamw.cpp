#include "nn/adamw.hpp"

#include "core/check.hpp"
#include "nn/optimizer.hpp"
#include "nn/zero_grad.hpp"

namespace stepgrad::nn {

AdamW::AdamW(Tensors parameters, double lr, double beta1, double beta2, double eps, double weight_decay, OpCall)
    : lr(lr),
      beta1(beta1),
      beta2(beta2),
      eps(eps),
      weight_decay(weight_decay),
      parameters_(std::move(parameters)),
      states_(parameters_.size()) {
  check_optimizer("AdamW", parameters_, {{"lr", lr}, {"eps", eps}, {"weight_decay", weight_decay}});
  check<ValueError>(
      0 <= beta1 && beta1 < 1 && 0 <= beta2 && beta2 < 1, "AdamW: betas ", beta1, " and ", beta2, " must be in [0,1)");
}

void AdamW::step() {
  for (size_t i = 0; i < parameters_.size(); ++i) {  // allocates first: it may fail
    const Tensor& w = parameters_[i];
    auto& [m, v, t] = states_[i];
    if (t == 0 && w.grad().defined()) m = zeros_like(w), v = zeros_like(w);
  }
  for (size_t i = 0; i < parameters_.size(); ++i) {
    const Tensor& w = parameters_[i];
    const Tensor g = w.grad();
    if (!g.defined()) continue;
    auto& [m, v, t] = states_[i];
    ++t;
    kernels::table().adamw(w.numel(), {lr, beta1, beta2, eps, weight_decay, t}, g.data(), w.data(), m.data(), v.data());
    w.increment_version();
  }
}

NamedTensors AdamW::state() const {
  NamedTensors all;
  for (size_t i = 0; i < states_.size(); ++i) {
    const auto& [m, v, t] = states_[i];
    const std::string number = std::to_string(i);
    all.emplace_back(number + ".m", t ? m.clone() : zeros_like(parameters_[i]));
    all.emplace_back(number + ".v", t ? v.clone() : zeros_like(parameters_[i]));
    all.emplace_back(number + ".t", Tensor::full({}, Scalar(t)));
  }
  return all;
}

void AdamW::load_state(const NamedTensors& state, Loc loc) {
  const OpCall call(loc);
  check_state("AdamW", state, this->state());
  for (size_t i = 0; i < states_.size(); ++i) {
    states_[i] = {
        state[3 * i].second.clone(), state[3 * i + 1].second.clone(), int64_t(state[3 * i + 2].second.item())};
  }
}

void AdamW::zero_grad(bool set_to_none) { nn::zero_grad(parameters_, set_to_none); }

}
