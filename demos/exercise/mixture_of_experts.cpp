// Exercise: 001, 실습 5: a mixture of experts
// Hint: the gates are softmax(x·Wg, -1): [n, experts]. slice(gates, 1, e, e + 1) is [n, 1], the
// weight of expert e at each position, and broadcasts over its output.
#include "demos/exercise/check.hpp"

namespace mixture_of_experts {

using Expert = std::function<Tensor(Tensor)>;

// Σ over experts of gate · expert(x).     x: [n, d]   gate: [d, experts]
Tensor mixture(const Tensor& x, const Tensor& gate, const std::vector<Expert>& experts) {
  //> weigh what each expert says by its gate, and add up
  const Tensor gates = softmax(matmul(x, gate), -1);
  Tensor y = zeros_like(x);
  for (size_t e = 0; e < experts.size(); ++e) {
    const auto at = static_cast<int64_t>(e);
    y = y + slice(gates, 1, at, at + 1) * experts[e](x);
  }
  return y;
  //< return x;
}

EXERCISE(mixture_of_experts) {
  const Tensor x = Tensor::randn({3, 2});
  const std::vector<Expert> experts{[](Tensor t) { return t * 10; }, [](Tensor t) { return -t; }};
  check_values("with even gates", mixture(x, Tensor::zeros({2, 2}), experts), x * 4.5);
  const Tensor gate = Tensor::randn({2, 2});
  check_gradients("the mixture", [&](const Tensors& in) { return mixture(in[0], in[1], experts); },
                  {x, gate});
}

}  // namespace mixture_of_experts
