#include "nn/sgd.hpp"

#include "core/check.hpp"
#include "core/tape/modes.hpp"
#include "nn/optimizer.hpp"
#include "nn/zero_grad.hpp"
#include "ops/add.hpp"
#include "ops/mul.hpp"

namespace stepgrad::nn {

SGD::SGD(Tensors parameters, Scalar lr, Scalar momentum, Scalar weight_decay, bool nesterov, OpCall)
    : lr(lr),
      momentum(momentum),
      weight_decay(weight_decay),
      nesterov(nesterov),
      parameters_(std::move(parameters)),
      velocity_(parameters_.size()) {
  check_optimizer("SGD", parameters_, {{"lr", lr}, {"momentum", momentum}, {"weight_decay", weight_decay}});
  check<ValueError>(!nesterov || momentum > 0, "SGD: nesterov without momentum");
}

void SGD::step() {
  const NoGrad no_grad;
  Tensors steps(parameters_.size()), velocity = velocity_;
  for (size_t i = 0; i < parameters_.size(); ++i) {  // allocates first: it may fail
    const Tensor& w = parameters_[i];
    Tensor g = w.grad(), &v = velocity[i];
    if (!g.defined()) continue;
    if (weight_decay != 0) g = g + weight_decay * w;
    if (momentum != 0) {
      v = v.defined() ? v * momentum + g : g.clone();
      g = nesterov ? g + momentum * v : v;
    }
    steps[i] = -lr * g;
  }
  velocity_ = std::move(velocity);
  for (size_t i = 0; i < parameters_.size(); ++i) {
    if (steps[i].defined()) parameters_[i].add_(steps[i]);
  }
}

NamedTensors SGD::state() const {
  NamedTensors all;
  for (size_t i = 0; i < parameters_.size() && momentum != 0; ++i) {
    const Tensor& v = velocity_[i];
    all.emplace_back(std::to_string(i) + ".v", v.defined() ? v.clone() : zeros_like(parameters_[i]));
  }
  return all;
}

void SGD::load_state(const NamedTensors& state, Loc loc) {
  const OpCall call(loc);
  check_state("SGD", state, this->state());
  for (size_t i = 0; i < state.size(); ++i) velocity_[i] = state[i].second.clone();
}

void SGD::zero_grad(bool set_to_none) { nn::zero_grad(parameters_, set_to_none); }

}
