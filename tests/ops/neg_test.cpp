#include "tests/support/test.hpp"

using namespace stepgrad;

const OpExample example_of_neg("neg", neg, "-a");

TEST_CASE("A tensor of any shape is negated") {
  for (const Shape& shape : some_shapes()) gradcheck(neg, {leaf(shape)});
  CHECK(text(-Tensor::of({1, -2, 0, infinity, NAN})) == "-1 2 -0 -inf nan");
}
