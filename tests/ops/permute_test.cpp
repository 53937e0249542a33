#include "tests/support/test.hpp"

const OpExample of_permute(
    "permute",
    [](Tensor x) {
      return permute(x, {2, 0, 1});
    },
    "a.permute(2, 0, 1)", Shapes{{3, 3, 2}});

TEST_CASE("Dimensions that do not exist, are missing or named twice are not permuted") {
  const Tensor x = leaf({2, 3});
  CHECK_ERROR(IndexError, x.permute({0, 2}), "permute: [2, 3] has no dimension 2");
  CHECK_ERROR(ShapeError, x.permute({0, -2}), "permute: dimension -2 of [2, 3] is named twice");
  CHECK_ERROR(ShapeError, x.permute({1}), "permute: 1 dimensions named of [2, 3]");
  CHECK_ERROR(ShapeError, x.permute({}), "permute: 0 dimensions named of [2, 3]");
}
