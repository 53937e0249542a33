#include "tests/support/test.hpp"

TEST_CASE("allclose is one answer") {
  const Tensor x = Tensor::of({1, 1e-9, infinity});
  CHECK(allclose(x, x));
  CHECK(x.allclose(Tensor::of({1.000001, 0, infinity})));
  CHECK_FALSE(allclose(x, Tensor::of({1.001, 0, infinity})));
  CHECK(allclose(x, Tensor::of({1.001, 0, infinity}), 1e-2));
  CHECK_FALSE(allclose(x, Tensor::of({1, 0, -infinity})));
  CHECK_FALSE(allclose(Tensor::of({1}), Tensor::of({infinity})));
  CHECK_FALSE(allclose(Tensor::of({NAN}), Tensor::of({NAN})));
  CHECK(allclose(Tensor::ones({2, 3}), 1));
}
