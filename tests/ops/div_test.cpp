#include "tests/support/test.hpp"

const OpExample of_div("div", stepgrad::div, "a / b", [] { return Tensors{leaf({2, 3}), leaf({3}, {0})}; });

TEST_CASE("The gradient of the divisor does not overflow before it has to") {
  const Tensor b = parameter({1e-39});
  div(Tensor::of({0}), b).backward(Tensor::of({1}));
  CHECK(b.grad().item() == 0);
}
