// Demo: a small network to step through in a debugger
#include <iostream>

#include "core/tape.hpp"
#include "nn/positionwise_feed_forward.hpp"
#include "ops/ops.hpp"

using namespace stepgrad;

// Each row's share of its sum. It hides a mistake: a row that is all zero becomes 0/0.
static Tensor shares(const Tensor& x) {
  const Tensor positive = clamp(x, 0).set_name("positive");
  return positive / sum(positive, 1, true);
}

int main() {
  manual_seed(3);
  nn::PositionwiseFeedForward ffn(4, 8, 0.25f);
  Tensor x = Tensor::randn({3, 4}).requires_grad_().set_name("x");

  Tensor y = x + ffn(x);  // x is used twice
  Tensor loss = mean(y * y).set_name("loss");
  loss.backward();
  for (const Tensor& w : ffn.parameters()) std::cout << w.name() << ".grad = " << w.grad() << '\n';

  Tensor broken = mean(shares(x)).set_name("broken");
  broken.backward();
  std::cout << "x.grad = " << x.grad() << '\n';
}
