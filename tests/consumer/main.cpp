#include <iostream>

#include "core/tensor.hpp"
#include "nn/positionwise_feed_forward.hpp"
#include "ops/ops.hpp"

using namespace stepgrad;

int main() {
  manual_seed(0);
  nn::PositionwiseFeedForward ffn(8, 16, 0.1f);
  mean(ffn(Tensor::randn({4, 10, 8}))).backward();
  for (const Tensor& p : ffn.parameters()) {
    std::cout << p.name() << ' ' << p.shape() << ' ' << p.grad().shape() << '\n';
    if (p.grad().shape() != p.shape()) return 1;
  }
}
