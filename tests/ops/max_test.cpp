#include "tests/support/test.hpp"

TEST_CASE("Nothing has no largest element, and says which was asked for") {
  CHECK_ERROR(ShapeError, argmax(leaf({2, 0}), 1), "argmax: [2, 0] has no elements along dimension 1");
}

TEST_CASE("topk gives the k first in order along any dimension, a NaN before all") {
  const Tensor x = Tensor::of({{1, 5, 3, 5}, {NAN, 2, 6, 0}});
  const auto [values, indices] = topk(x, 3);
  CHECK(text(values) == "5 5 3 nan 6 2");
  CHECK(text(indices) == "1 3 2 0 2 1");
  CHECK(text(x.topk(2, -1, false).values) == "1 3 0 2");
  CHECK(text(x.topk(1, 0).indices) == "1 0 1 0");
  CHECK(topk(x, 0).values.shape() == Shape{2, 0});
  CHECK(text(topk(Tensor::of({-0., 0., 1., -1.}), 3).indices) == "2 0 1");
  CHECK(text(topk(Tensor::of({0., -0., 1.}), 3, 0, false).indices) == "0 1 2");
  const Tensor nans = Tensor::of({0., NAN, 1., -NAN, NAN});  // a NaN's sign says nothing
  CHECK(text(topk(nans, 4).indices) == "1 3 4 2");
  CHECK(text(topk(nans, 5, 0, false).indices) == "0 2 1 3 4");
  for (int dim : {0, 1, 2}) {
    gradcheck([=](Tensor x) { return topk(x, 2, dim).values; }, {leaf({3, 2, 4})});
  }
  CHECK_ERROR(ValueError, topk(x, 5), "topk: k = 5 is not in [0, 4]");
}
