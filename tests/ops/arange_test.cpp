#include "tests/support/test.hpp"

TEST_CASE("arange and linspace count, in whole numbers or not") {
  CHECK(arange(3).to_vector() == Values{0, 1, 2});
  CHECK(arange(2, 5).to_vector() == Values{2, 3, 4});
  CHECK_THAT(arange(0, 1, 0.25).to_vector(), near({0, 0.25, 0.5, 0.75}));
  CHECK(arange(5, 0, -2).to_vector() == Values{5, 3, 1});
  CHECK(arange(2.5).to_vector() == Values{0, 1, 2});
  CHECK(arange(1, 1).numel() == 0);
  CHECK_ERROR(ValueError, arange(-1), "arange: from 0 to -1 by 1");
  CHECK_THROWS_AS(arange(0, 1, 0), ValueError);
  CHECK(linspace(0, 1, 5).to_vector() == Values{0, 0.25, 0.5, 0.75, 1});
  CHECK(linspace(3, 1, 2).to_vector() == Values{3, 1});
  CHECK(linspace(3, 1, 1).to_vector() == Values{3});
  CHECK(linspace(0, 1, 0).numel() == 0);
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
