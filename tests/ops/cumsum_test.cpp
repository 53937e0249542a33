#include "tests/support/test.hpp"

using namespace stepgrad;

const OpExample example_of_cumsum(
    "cumsum", [](Tensor x) { return cumsum(x, 1); }, "a.cumsum(1)", Shapes{{2, 3}});

TEST_CASE("Sums so far, along any dimension") {
  const Tensor x = Tensor::of({{1, 2, 3}, {4, 5, 6}});
  CHECK(cumsum(x, 1).to_vector() == Values{1, 3, 6, 4, 9, 15});
  CHECK(x.cumsum(0).to_vector() == Values{1, 2, 3, 5, 7, 9});
  for (const Shape& shape : some_shapes()) {
    for (int dim = -shape.dims(); dim < shape.dims(); ++dim) {
      gradcheck([=](Tensor x) { return cumsum(x, dim); }, {leaf(shape)});
    }
  }
}
