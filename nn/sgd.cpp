#include "nn/sgd.hpp"

#include "core/check.hpp"
#include "core/modes.hpp"
#include "nn/zero_grad.hpp"
#include "ops/add.hpp"
#include "ops/mul.hpp"

namespace stepgrad::nn {

SGD::SGD(std::vector<Tensor> parameters, Scalar lr, Scalar momentum, Scalar weight_decay,
         bool nesterov)
    : lr(lr),
      momentum(momentum),
      weight_decay(weight_decay),
      nesterov(nesterov),
      parameters_(std::move(parameters)),
      velocity_(parameters_.size()) {
  check<ValueError>(lr >= 0 && momentum >= 0 && weight_decay >= 0, "SGD: lr ", lr, ", momentum ",
                    momentum, " and weight_decay ", weight_decay, " must not be negative");
  check<ValueError>(!nesterov || momentum > 0, "SGD: nesterov without momentum");
}

void SGD::step() {
  const NoGrad no_grad;
  for (size_t i = 0; i < parameters_.size(); ++i) {
    const Tensor &w = parameters_[i], &v = velocity_[i];
    Tensor g = w.grad();
    if (!g.defined()) continue;
    if (weight_decay != 0) g = g + weight_decay * w;
    if (momentum != 0) {
      if (v.defined())
        v.mul_(momentum).add_(g);
      else
        velocity_[i] = g.clone();
      g = nesterov ? g + momentum * v : v;
    }
    w.add_(-lr * g);
  }
}

void SGD::zero_grad(bool set_to_none) { nn::zero_grad(parameters_, set_to_none); }

}  // namespace stepgrad::nn
