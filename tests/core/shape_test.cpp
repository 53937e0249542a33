#include "core/tensor/shape.hpp"
#include "tests/support/test.hpp"

using namespace stepgrad;

TEST_CASE("A shape prints as a list and counts its elements") {
  std::ostringstream text;
  text << Shape{} << Shape{3} << Shape{4, 10, 512};
  CHECK(text.str() == "[][3][4, 10, 512]");
  CHECK(Shape{}.numel() == 1);
  CHECK(Shape{4, 10, 512}.numel() == 20480);
  CHECK(Shape{4, 0, 512}.numel() == 0);
  CHECK(Shape{4, 10, 512}.rows() == 40);
  CHECK(Shape{}.rows() == 1);
}

TEST_CASE("Two shapes are equal if they have the same sizes and as many") {
  CHECK(Shape{2, 3} == Shape{2, 3});
  CHECK_FALSE(Shape{2, 3} == Shape{3, 2});
  CHECK_FALSE(Shape{2} == Shape{2, 1});
  CHECK_FALSE(Shape{} == Shape{1});
}

TEST_CASE("A size is replaced, put in or left out, and the shape itself stays") {
  const Shape shape{2, 3, 4};
  CHECK(shape.with(1, 9) == Shape{2, 9, 4});
  CHECK(shape.insert(0, 9) == Shape{9, 2, 3, 4});
  CHECK(shape.insert(3, 9) == Shape{2, 3, 4, 9});
  CHECK(shape.erase(0) == Shape{3, 4});
  CHECK(shape.erase(2) == Shape{2, 3});
  CHECK(shape == Shape{2, 3, 4});
  CHECK(message<ShapeError>([] { Shape{1, 2, 3, 4, 5, 6}.insert(0, 7); }) ==
        "shape: [1, 2, 3, 4, 5, 6] has the most dimensions already");
}

TEST_CASE("Shapes broadcast by NumPy's rules, whichever comes first") {
  const auto both_ways = [](const Shape& a, const Shape& b, const Shape& y) {
    CHECK(broadcast("add", a, b) == y);
    CHECK(broadcast("add", b, a) == y);
  };
  both_ways({}, {}, {});
  both_ways({}, {2, 3}, {2, 3});
  both_ways({3}, {2, 3}, {2, 3});
  both_ways({2, 1}, {3}, {2, 3});
  both_ways({4, 1, 3}, {2, 1}, {4, 2, 3});
  both_ways({1}, {0}, {0});
  both_ways({2, 0}, {1, 1}, {2, 0});
}

TEST_CASE("Sizes whose product no integer holds are refused, also behind a zero") {
  constexpr int64_t large = int64_t{1} << 40;
  CHECK_THROWS_AS(check_sizes("empty", {large, large}), ShapeError);
  CHECK_ERROR(
      ShapeError, check_sizes("empty", {0, large, large}),
      "empty: [0, 1099511627776, 1099511627776] has more elements than memory has addresses");
  CHECK_THROWS_AS(check_sizes("empty", {large, 0, large}), ShapeError);
  constexpr int64_t most = std::numeric_limits<int64_t>::max() / 64;
  CHECK(check_sizes("empty", {most}) == most);
  CHECK_THROWS_AS(check_sizes("empty", {most + 1}), ShapeError);
  CHECK(check_sizes("empty", {0, large}) == 0);
}
