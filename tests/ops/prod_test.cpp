#include "tests/support/test.hpp"

const OpExample of_prod(
    "prod", [](Tensor x) { return prod(x, 1); }, "a.prod(1)", Shapes{{2, 3}});

TEST_CASE("A product is over all elements, or along any dimension") {
  for (const Shape& shape : some_shapes()) {
    gradcheck([](Tensor x) { return prod(x); }, {leaf(shape)});
    for (int dim = -shape.dims(); dim < shape.dims(); ++dim)
      for (const bool keepdim : {false, true})
        gradcheck([=](Tensor x) { return prod(x, dim, keepdim); }, {leaf(shape)});
  }
  const Tensor x = Tensor::of({{1, 2, 3}, {4, 5, 6}});
  CHECK(text(prod(x)) == "720");
  CHECK(text(prod(x, 0)) == "4 10 18");
  CHECK(text(prod(x, -1)) == "6 120");
  CHECK(prod(x, 1, true).shape() == Shape{2, 1});
  CHECK(prod(x).kind() == Kind::integer);
}

TEST_CASE("The gradient of a product is right where factors are 0") {
  const Tensor x = parameter({{2., 0., 3.}, {0., 5., 0.}, {1., 2., 4.}});
  sum(prod(x, 1)).backward();
  CHECK(text(x.grad()) == "0 6 0 0 0 0 8 4 2");
}
