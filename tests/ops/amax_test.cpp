#include "tests/support/test.hpp"

const OpExample of_amax(
    "amax", [](Tensor x) { return amax(x, 1); }, "a.amax(1)",
    [] {
      return Tensors{leaf({2, 3}, {-1, 0, 1})};
    });

TEST_CASE("The largest and the smallest element along any dimension, kept or not") {
  const Tensor x = Tensor::of({{1, 5, 3}, {4, 2, 6}});
  CHECK(amax(x, 1).to_vector() == Values{5, 6});
  CHECK(amax(x, 0).to_vector() == Values{4, 5, 6});
  CHECK(amin(x, -1).to_vector() == Values{1, 2});
  CHECK(amin(x, 0, true).shape() == Shape{1, 3});
  for (const Shape& shape : some_shapes()) {
    for (int dim = -shape.dims(); dim < shape.dims(); ++dim) {
      if (shape.size(dim) == 0) continue;
      for (bool keepdim : {false, true}) {
        gradcheck([&](Tensor x) { return amax(x, dim, keepdim); }, {leaf(shape)});
        gradcheck([&](Tensor x) { return amin(x, dim, keepdim); }, {leaf(shape)});
      }
    }
  }
}

TEST_CASE("Nothing has no largest element") {
  CHECK(amax(Tensor::zeros({0, 2}), 1).shape() == Shape{0});
  CHECK_ERROR(ShapeError, amax(leaf({2, 0}), -1), "amax: [2, 0] has no elements along dimension 1");
  CHECK_ERROR(ShapeError, amin(leaf({2, 0}), 1), "amin: [2, 0] has no elements along dimension 1");
}
