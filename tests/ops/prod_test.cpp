#include "tests/support/test.hpp"

const OpExample of_prod(
    "prod", [](Tensor x) { return prod(x, 1); }, "a.prod(1)", Shapes{{2, 3}});

TEST_CASE("The gradient of a product is right where factors are 0") {
  const Tensor x = parameter({{2., 0., 3.}, {0., 5., 0.}, {1., 2., 4.}});
  sum(prod(x, 1)).backward();
  CHECK(text(x.grad()) == "0 6 0 0 0 0 8 4 2");
}
