#include "tests/support/test.hpp"

TEST_CASE("one_hot has a one at each id") {
  CHECK(one_hot(Tensor::of({2, 0}), 3).to_vector() == Values{0, 0, 1, 1, 0, 0});
  CHECK(one_hot(Tensor::zeros({2, 1}), 4).shape() == Shape{2, 1, 4});
  CHECK(one_hot(1, 2).to_vector() == Values{0, 1});
  CHECK(one_hot(Tensor::zeros({0}), 4).shape() == Shape{0, 4});
  CHECK_ERROR(IndexError, one_hot(Tensor::of({3}), 3), "one_hot: id 3 is not a whole number in [0, 3)");
}
