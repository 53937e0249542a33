#include "tests/support/test.hpp"

TEST_CASE("arange and linspace do not count backwards or by nothing") {
  CHECK_ERROR(ValueError, arange(-1), "arange: from 0 to -1 by 1");
  CHECK_THROWS_AS(arange(0, 1, 0), ValueError);
  CHECK_THROWS_AS(linspace(0, 1, -1), ValueError);
}

TEST_CASE("linspace ends at its end, and is the same from there") {
  for (int64_t n = 2; n < 100; ++n) {
    const Values there = linspace(Scalar(0.1), Scalar(0.7), n).to_vector();
    Values back = linspace(Scalar(0.7), Scalar(0.1), n).to_vector();
    REQUIRE(there.front() == Scalar(0.1));
    REQUIRE(there.back() == Scalar(0.7));
    std::reverse(back.begin(), back.end());
    // The middle one of an odd number is counted from the beginning.
    if (n % 2 == 0) REQUIRE(there == back);
  }
}

#ifndef STEPGRAD_DOUBLE  // its bounds are doubles themselves
TEST_CASE("arange repeats no number") {
  const double beyond = std::pow(2., std::numeric_limits<Scalar>::digits);
  CHECK(arange(beyond - 1, beyond + 1).to_vector().back() == Scalar(beyond));
  CHECK_THROWS_AS(arange(beyond, beyond + 6), ValueError);
  CHECK_THROWS_AS(arange(beyond + 0.5, beyond + 6), ValueError);
  CHECK(arange(beyond, beyond + 6, 2).numel() == 3);
}
#endif
