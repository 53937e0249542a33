#include "ops/remainder.hpp"

#include "tests/support/test.hpp"

const OpExample of_remainder("remainder", stepgrad::remainder, "a % b", [] {
  return Tensors{leaf({2, 3}), leaf({3}, {0})};
});

TEST_CASE("a = floor_divide(a, b)·b + remainder(a, b), which has b's sign") {
  const Tensor a = Tensor::of({7, -7, 7, -7, 1, 0.75}),
               b = Tensor::of({3, 3, -3, -3, infinity, 0.25});
  CHECK(text(remainder(a, b)) == "1 2 -2 -1 1 0");
  CHECK(text(floor_divide(a, b)) == "2 -3 -3 2 0 3");
}
