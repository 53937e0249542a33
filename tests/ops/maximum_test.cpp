#include "tests/support/test.hpp"

const OpExample of_maximum("maximum", maximum, "torch.maximum(a, b)", [] {
  return Tensors{parameter({{1, 5, 2}, {0, 3, 9}}), parameter({2, 4, 7})};
});

TEST_CASE("The larger and the smaller of two, broadcast") {
  for (const auto& [a, b, y] : broadcasting_pairs()) {
    const Tensor left = leaf(a, {0.5}), right = (leaf(b).detach() * 0 + Scalar(0.5));
    gradcheck(maximum, {left, right.requires_grad_()});
    gradcheck(minimum, {left, right});
  }
}
