// Exercise: 001, 실습 5: a mixture of experts
// Hint: At each position the gates are positive and add up to 1. Each expert's answer counts as
// much as its gate says there.
// Where: the gates are a softmax along the experts, [n, experts]. A column of them, [n, 1],
// broadcasts over what its expert says.
#include "demos/exercise/exercise.hpp"

namespace stepgrad::exercise {

// Σ over experts of gate · expert(x).     x: [n, d]   gate: [d, experts]
Tensor mixture(const Tensor& x, const Tensor& gate, const std::vector<Part>& experts) {
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

}  // namespace stepgrad::exercise
