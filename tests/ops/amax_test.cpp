#include "tests/support/test.hpp"

const OpExample of_amax(
    "amax", [](Tensor x) { return amax(x, 1); }, "a.amax(1)",
    [] {
      return Tensors{leaf({2, 3}, {-1, 0, 1})};
    });

TEST_CASE("Nothing has no largest element") {
  CHECK(amax(Tensor::zeros({0, 2}), 1).shape() == Shape{0});
  CHECK_ERROR(ShapeError, amax(leaf({2, 0}), -1), "amax: [2, 0] has no elements along dimension 1");
  CHECK_THROWS_AS(amin(leaf({2, 0}), 1), ShapeError);
}
