#include "tests/support/test.hpp"

const OpExample of_repeat(
    "repeat",
    [](Tensor x) {
      return repeat(x, {2, 1, 3});
    },
    "a.repeat(2, 1, 3)", Shapes{{2, 3}});

TEST_CASE("Too few numbers of repeats and negative ones are refused") {
  const Tensor x = leaf({2, 3});
  CHECK_ERROR(ShapeError, repeat(x, {2}),
              "repeat: [2, 3] by [2]: fewer numbers of repeats than dimensions");
  CHECK_ERROR(ShapeError, repeat(x, {2, -1}), "repeat: [2, -1] has a negative size");
}

TEST_CASE("A size beyond int64 is refused, also beside a size of zero") {
  const Tensor x = Tensor::zeros({256}), none = Tensor::zeros({0, 256});
  CHECK_ERROR(ShapeError, x.repeat({(int64_t{1} << 56) + 1}),
              "repeat: [256] by [72057594037927937] has more elements than memory has addresses");
  CHECK_THROWS_AS(none.repeat({1, (int64_t{1} << 56) + 1}), ShapeError);
  CHECK_THROWS_AS(none.repeat({int64_t{1} << 40, int64_t{1} << 40}), ShapeError);
  CHECK(none.repeat({1 << 20, 1 << 20}).shape() == Shape{0, 256 << 20});
}
