#include "tests/support/test.hpp"

using namespace stepgrad;

const OpExample example_of_maximum("maximum", maximum, "torch.maximum(a, b)", [] {
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

TEST_CASE("Equal ones share the gradient, and a NaN wins and passes it, as PyTorch's") {
  const Tensor a = parameter({1, 2, NAN, 3});
  const Tensor b = parameter({1, 1, 1, NAN});
  CHECK(text(maximum(a, b)) == "1 2 nan nan");
  CHECK(text(minimum(a, b)) == "1 1 nan nan");
  maximum(a, b).backward(Tensor::of({2, 2, 2, 2}));
  CHECK(a.grad().to_vector() == Values{1, 2, 2, 2});
  CHECK(b.grad().to_vector() == Values{1, 0, 2, 2});
}
