#include "tests/support/test.hpp"

using namespace stepgrad;

const OpExample example_of_mul("mul", mul, "a * b", Shapes{{2, 3}, {3}});

TEST_CASE("Infinities and NaNs go through a product's gradient as IEEE 754 says") {
  const Tensor a = parameter({infinity, infinity, NAN, 0});
  const Tensor b = parameter({2, 0, 1, infinity});
  (a * b).backward(Tensor::ones({4}));
  CHECK(text(a.grad()) == "2 0 1 inf");
  CHECK(text(b.grad()) == "inf inf nan 0");
}
