#include "tests/support/test.hpp"

const OpExample of_slice(
    "slice", [](Tensor x) { return slice(x, 1, 1, 3); }, "a[:, 1:3]", Shapes{{2, 3}});

TEST_CASE("The gradient of a slice is zero around it") {
  const Shape shape{2, 3, 4, 1, 2, 2};
  for (int dim = 0; dim < shape.dims(); ++dim) {
    for (int64_t begin = 0; begin <= shape[dim]; ++begin) {
      for (int64_t end = begin; end <= shape[dim]; ++end) {
        gradcheck([=](Tensor x) { return slice(x, dim, begin, end); }, {leaf(shape)});
      }
    }
  }
  gradcheck([](Tensor x) { return slice(x, 1, -3, -1); }, {leaf({2, 4})});
}

TEST_CASE("A stretch that is not there is refused") {
  const Tensor x = leaf({2, 3});
  CHECK_ERROR(IndexError, slice(x, 1, 0, 4), "slice: [0:4] along dimension 1 of [2, 3]");
  CHECK_ERROR(IndexError, slice(x, -1, -4, 2), "slice: [-4:2] along dimension 1 of [2, 3]");
  CHECK_ERROR(IndexError, slice(x, 1, 2, 1), "slice: [2:1] along dimension 1 of [2, 3]");
}
