#include "tests/support/test.hpp"

using namespace stepgrad;

TEST_CASE("The largest and smallest of all, and along a dimension with their indices") {
  const Tensor x = Tensor::of({{1, 5, 3}, {4, 2, 6}});
  CHECK(x.max().item() == 6);
  CHECK(min(x).item() == 1);
  const auto [values, indices] = max(x, 1);
  CHECK(values.to_vector() == Values{5, 6});
  CHECK(indices.to_vector() == Values{1, 2});
  CHECK(x.min(0, true).indices.shape() == Shape{1, 3});
  CHECK(x.min(-1).indices.to_vector() == Values{0, 1});
  CHECK(x.argmax(0).to_vector() == Values{1, 0, 1});
  CHECK(x.argmax().item() == 5);
  CHECK(argmin(x).item() == 0);
  CHECK(text(argmax(Tensor::of({{1, NAN, NAN}, {2, 2, 1}}), 1)) == "1 0");
  CHECK(argmin(Tensor::of({NAN, -infinity})).item() == 0);
}

TEST_CASE("The gradient goes to the first of equal ones along a dimension, and to all of all") {
  const Tensor x = parameter({{3, 3, 1}});
  sum(max(x, 1).values).backward();
  CHECK(x.grad().to_vector() == Values{1, 0, 0});
  x.set_grad({});
  max(x).backward();
  CHECK(x.grad().to_vector() == Values{0.5, 0.5, 0});
  for (int dim : {0, 1, -1}) {
    for (bool keepdim : {false, true}) {
      gradcheck([=](Tensor x) { return max(x, dim, keepdim).values; }, {leaf({3, 2, 4})});
      gradcheck([=](Tensor x) { return min(x, dim, keepdim).values; }, {leaf({3, 2, 4})});
    }
  }
}

TEST_CASE("Nothing has no largest element, and says which was asked for") {
  CHECK_ERROR(ShapeError, argmax(leaf({2, 0}), 1),
              "argmax: [2, 0] has no elements along dimension 1");
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
