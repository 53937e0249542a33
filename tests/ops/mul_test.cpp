#include "ops/mul.hpp"

#include "tests/support/expect.hpp"
#include "tests/support/gradcheck.hpp"

using namespace stepgrad;

const OpExample example_of_mul("mul", mul, "a * b", [] {
  return Tensors{leaf({2, 3}), leaf({3})};
});

TEST_CASE("Infinities and NaNs go through a product's gradient as IEEE 754 says") {
  const Tensor a = Tensor::of({infinity, infinity, NAN, 0}).requires_grad_();
  const Tensor b = Tensor::of({2, 0, 1, infinity}).requires_grad_();
  (a * b).backward(Tensor::ones({4}));
  CHECK(text(a.grad()) == "2 0 1 inf");
  CHECK(text(b.grad()) == "inf inf nan 0");
}
