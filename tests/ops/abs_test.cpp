#include "tests/support/test.hpp"

using namespace stepgrad;

const OpExample example_of_abs("abs", [](Tensor x) { return abs(x); }, "a.abs()", {0});

TEST_CASE("The absolute value of any shape, whose gradient at 0 is 0") {
  for (const Shape& shape : some_shapes())
    gradcheck([](Tensor x) { return abs(x); }, {leaf(shape, {0})});
  CHECK(text(abs(Tensor::of({1, -2, -0.0, -infinity, NAN}))) == "1 2 0 inf nan");
  const Tensor x = parameter({-3, 0, 2});
  sum(x.abs()).backward();
  CHECK(x.grad().to_vector() == Values{-1, 0, 1});
}
