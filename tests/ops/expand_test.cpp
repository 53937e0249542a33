#include "tests/support/test.hpp"

const OpExample of_expand(
    "expand",
    [](Tensor x) {
      return expand(x, {4, -1, 3});
    },
    "a.expand(4, -1, 3)", Shapes{{2, 3}});

TEST_CASE("expand refuses a shape that the tensor does not broadcast to") {
  const auto refused = [](const Shape& from, const Shape& to) {
    return message<ShapeError>([&] { leaf(from).expand(to); });
  };
  CHECK(refused({2}, {3}) == "expand: [2] and [3] do not broadcast, 2 != 3");
  CHECK(refused({3}, {1}) == "expand: [3] does not broadcast to [1]");
  CHECK(refused({2, 3}, {3}) == "expand: [2, 3] does not broadcast to [3]");
  CHECK(refused({3}, {-1, 3}) == "expand: [-1, 3] has a negative size");
}
