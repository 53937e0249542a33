#include "tests/support/test.hpp"

const OpExample of_clone(
    "clone", [](Tensor x) { return clone(x); }, "a.clone()", Shapes{{2, 3}});

TEST_CASE("A clone has numbers of its own and passes the gradient on") {
  for (const Shape& shape : some_shapes()) gradcheck(stepgrad::clone, {leaf(shape)});
  const Tensor x = Tensor::of({1, 2}), y = x.clone();
  y.mul_(2);
  CHECK(x.to_vector() == Values{1, 2});
  CHECK(y.to_vector() == Values{2, 4});
}
