// A small network to step through in a debugger: demos/run step, explained by demos/step/step.md.
#include <iostream>

#include "core/tape/tape.hpp"
#include "nn/positionwise_feed_forward.hpp"
#include "ops/ops.hpp"

using namespace stepgrad;

// Each row's share of its sum. It hides a mistake: a row without a positive number becomes 0/0.
static Tensor shares(const Tensor& x) {
  const Tensor positive = clamp(x, 0).set_name("positive");
  return positive / sum(positive, 1, true);
}

int main() {
  manual_seed(3);
  nn::PositionwiseFeedForward ffn(4, 8, 0.25f);
  Tensor x = Tensor::of({{0.5f, -1, 2, 0.25f}, {-1, -2, 0, -3}, {1.5f, 1, -0.5f, 3}});
  x.requires_grad_().set_name("x");

  Tensor y = x + ffn(x);  // x is used twice
  Tensor loss = mean(y * y).set_name("loss");
  loss.backward();

  Tensor broken = mean(shares(x)).set_name("broken");
  broken.backward();
  std::cout << "x.grad = " << x.grad() << '\n';
}
