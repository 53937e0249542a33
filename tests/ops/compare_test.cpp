#include "tests/support/test.hpp"

TEST_CASE("allclose is one answer") {
  const Tensor x = Tensor::of({1, 1e-9, infinity});
  CHECK(allclose(x, x));
  CHECK(x.allclose(Tensor::of({1.000001, 0, infinity})));
  CHECK_FALSE(allclose(x, Tensor::of({1.001, 0, infinity})));
  for (const Scalar sign : {1, -1}) {  // relative to the second one's size
    CHECK(allclose(sign * 1, sign * 1.25, 0.22, 0));
    CHECK_FALSE(allclose(sign * 1.25, sign * 1, 0.22, 0));
  }
  CHECK(allclose(1, 1.25, 0, 0.25));
  CHECK_FALSE(allclose(1, 1.25, 0, 0.24));
  CHECK_FALSE(allclose(x, Tensor::of({1, 0, -infinity})));
  CHECK_FALSE(allclose(Tensor::of({1}), Tensor::of({infinity})));
  CHECK_FALSE(allclose(Tensor::of({infinity}), Tensor::of({1})));
  CHECK_FALSE(allclose(Tensor::of({NAN}), Tensor::of({NAN})));
  CHECK(allclose(Tensor::ones({2, 3}), 1));
}
