#include "core/tensor/shape.hpp"
#include "tests/support/test.hpp"

TEST_CASE("A shape prints as a list and counts its elements") {
  CHECK(text_of(Shape{}, Shape{3}, Shape{4, 10, 512}) == "[][3][4, 10, 512]");
  CHECK(Shape{}.numel() == 1);
  CHECK(Shape{4, 10, 512}.numel() == 20480);
  CHECK(Shape{4, 0, 512}.numel() == 0);
  CHECK(Shape{4, 10, 512}.rows() == 40);
  CHECK(Shape{}.rows() == 1);
}

TEST_CASE("Sizes whose product no integer holds are refused, also behind a zero") {
  constexpr int64_t large = int64_t{1} << 40;
  CHECK_THROWS_AS(check_sizes("empty", {large, large}), ShapeError);
  CHECK_ERROR(ShapeError, check_sizes("empty", {0, large, large}),
      "empty: [0, 1099511627776, 1099511627776] has more elements than memory has addresses");
  CHECK_THROWS_AS(check_sizes("empty", {large, 0, large}), ShapeError);
  constexpr int64_t most = std::numeric_limits<int64_t>::max() / 64;
  CHECK(check_sizes("empty", {most}) == most);
  CHECK_THROWS_AS(check_sizes("empty", {most + 1}), ShapeError);
  CHECK(check_sizes("empty", {0, large}) == 0);
}
