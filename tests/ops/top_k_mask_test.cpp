#include "tests/support/test.hpp"

TEST_CASE("top_k_mask marks the largest of each row, and of equal ones the earlier") {
  CHECK(top_k_mask(Tensor::of({{1, 3, 2}, {5, 4, 4}}), 2).to_vector() == Values{0, 1, 1, 1, 1, 0});
  CHECK(top_k_mask(Tensor::of({-1, -3, -2}), 3).to_vector() == Values{1, 1, 1});
  CHECK(top_k_mask(Tensor::full({}, 5), 1).item() == 1);
  CHECK(top_k_mask(Tensor::zeros({0, 3}), 1).shape() == Shape{0, 3});
  CHECK_FALSE(top_k_mask(leaf({3}), 1).requires_grad());
  CHECK_ERROR(ValueError, top_k_mask(Tensor::ones({2, 3}), 4), "top_k_mask: k = 4 is not in [1, 3]");
  CHECK_THROWS_AS(top_k_mask(Tensor::ones({2, 3}), 0), ValueError);
}
