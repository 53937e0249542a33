#include "tests/support/test.hpp"

const OpExample of_reshape(
    "reshape",
    [](Tensor x) {
      return reshape(x, {3, -1});
    },
    "a.reshape(3, -1)", Shapes{{2, 3}});

TEST_CASE("A shape that does not hold the elements is refused") {
  const Tensor x = leaf({2, 3});
  const auto refused = [&](const Shape& to) { return message<ShapeError>([&] { reshape(x, to); }); };
  CHECK(refused({4}) == "reshape: [2, 3] to [4]: 6 elements do not fit");
  CHECK(refused({4, -1}) == "reshape: [2, 3] to [4, -1]: 6 elements do not fit");
  CHECK(refused({0, -1}) == "reshape: [2, 3] to [0, -1]: 6 elements do not fit");
  CHECK(refused({-1, -1}) == "reshape: [-1, -1] has two -1");
  CHECK(refused({-2, -3}) == "reshape: [-2, -3] has a negative size");
  CHECK(refused({-2, -1}) == "reshape: [-2, 1] has a negative size");
  CHECK_ERROR(
      ShapeError, Tensor::zeros({2, 0}).reshape({0, -1}), "reshape: [2, 0] to [0, -1]: any size would do for -1");
  CHECK_ERROR(IndexError, x.unsqueeze(3), "unsqueeze: [2, 3] has no place 3");
  CHECK_ERROR(IndexError, x.unsqueeze(-4), "unsqueeze: [2, 3] has no place -4");
}
