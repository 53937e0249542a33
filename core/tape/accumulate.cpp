#include "core/tape/observer.hpp"
#include "core/tensor/reduce.hpp"

// How gradients add up: at an input of an op, and in a leaf.
namespace stepgrad {

void Input::add_grad(Tensor g) const {
  const Shape before = g.shape();
  g = sum_to(std::move(g), shape);
  if (observing::pass) tell(observing::pass, &Observer::gradient_adds, *this, before, g);
  accumulate(node->pass.arrived, std::move(g));
}

void AccumulateGrad::backward(Tensor dY) {
  accumulate(grad, std::move(dY));  // grad += dY
}

void accumulate(Tensor& sum, Tensor g) {
  if (sum.defined()) {
    kernels::table().add(strides(sum.shape(), sum.shape(), g.shape()), sum.data(), g.data(),
                         sum.data());
    sum.increment_version();
  } else {
    sum = g.owned_alone() ? std::move(g) : g.copied();
  }
}

}  // namespace stepgrad
