#include "tests/support/test.hpp"

const OpExample of_maximum("maximum", maximum, "torch.maximum(a, b)", [] {
  return Tensors{parameter({{1, 5, 2}, {0, 3, 9}}), parameter({2, 4, 7})};
});

TEST_CASE("The larger and the smaller of two, broadcast") {
  const Tensor a = Tensor::of({{1, 5, 2}, {0, 3, 9}}), b = Tensor::of({2, 4, 7});
  CHECK(maximum(a, b).to_vector() == Values{2, 5, 7, 2, 4, 9});
  CHECK(minimum(a, b).to_vector() == Values{1, 4, 2, 0, 3, 7});
  CHECK(a.maximum(3).to_vector() == Values{3, 5, 3, 3, 3, 9});
  CHECK(minimum(3, b).to_vector() == Values{2, 3, 3});
  for (const auto& [a, b, y] : broadcasting_pairs()) {
    const Tensor left = leaf(a, {0.5}), right = (leaf(b).detach() * 0 + Scalar(0.5));
    gradcheck(maximum, {left, right.requires_grad_()});
    gradcheck(minimum, {left, right});
  }
}
