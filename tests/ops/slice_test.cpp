#include "tests/support/test.hpp"

const OpExample of_slice(
    "slice", [](Tensor x) { return slice(x, 1, 1, 3); }, "a[:, 1:3]", Shapes{{2, 3}});

TEST_CASE("A stretch that is not there is refused") {
  const Tensor x = leaf({2, 3});
  CHECK_ERROR(IndexError, slice(x, 1, 0, 4), "slice: [0:4] along dimension 1 of [2, 3]");
  CHECK_ERROR(IndexError, slice(x, -1, -4, 2), "slice: [-4:2] along dimension 1 of [2, 3]");
  CHECK_ERROR(IndexError, slice(x, 1, 2, 1), "slice: [2:1] along dimension 1 of [2, 3]");
}
