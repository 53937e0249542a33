#include "core/tensor/shape.hpp"
#include "tests/support/test.hpp"

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
