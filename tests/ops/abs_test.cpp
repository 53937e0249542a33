#include "tests/support/test.hpp"

using namespace stepgrad;

const OpExample example_of_abs("abs", [](Tensor x) { return abs(x); }, "a.abs()", {0});

TEST_CASE("The gradient of the absolute value at 0 is 0") {
  CHECK(text(abs(Tensor::of({1, -2, -0.0, -infinity, NAN}))) == "1 2 0 inf nan");
  const Tensor x = parameter({-3, 0, 2});
  sum(x.abs()).backward();
  CHECK(x.grad().to_vector() == Values{-1, 0, 1});
}
