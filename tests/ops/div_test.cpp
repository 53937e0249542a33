#include "tests/support/test.hpp"

using namespace stepgrad;

const OpExample example_of_div("div", stepgrad::div, "a / b", [] {
  return Tensors{leaf({2, 3}), leaf({3}, {0})};
});

TEST_CASE("Division by zero and of infinities gives PyTorch's gradients") {
  const Tensor a = parameter({1, 0, -1, infinity, infinity, 2, NAN});
  const Tensor b = parameter({0, 0, 0, infinity, 2, infinity, 1});
  (a / b).backward(Tensor::ones({7}));
  CHECK(text(a.grad()) == "inf inf inf 0 0.5 0 1");
  CHECK(text(b.grad()) == "-inf nan inf nan -inf -0 nan");
}

TEST_CASE("The gradient of the divisor does not overflow before it has to") {
  const Tensor b = parameter({1e-39});
  div(Tensor::of({0}), b).backward(Tensor::of({1}));
  CHECK(b.grad().item() == 0);
}
