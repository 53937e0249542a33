#include "tests/support/test.hpp"

using namespace stepgrad;

const OpExample example_of_neg("neg", neg, "-a");

TEST_CASE("Zeros and NaNs are negated") {
  CHECK(text(-Tensor::of({1, -2, 0, infinity, NAN})) == "-1 2 -0 -inf nan");
}
