// A scalar behaves like a row of one element, as in PyTorch.
#include "tests/support/test.hpp"

TEST_CASE("A number has the dimensions 0 and -1 for every op that goes along one") {
  const Tensor x = Tensor::of(5.), zero = Tensor::of(0);
  for (const int dim : {0, -1}) {
    for (const Tensor& same : {sum(x, dim), sum(x, dim, true), mean(x, dim), amax(x, dim), amin(x, dim, true),
             cumsum(x, dim), max(x, dim).values, min(x, dim).values, topk(x, 1, dim).values, gather(x, dim, zero),
             squeeze(x, dim), transpose(x, dim, 0)}) {
      CHECK(same.shape() == Shape{});
      CHECK(same.item() == 5);
    }
    for (const Tensor& index :
        {argmax(x, dim), argmin(x, dim, true), max(x, dim).indices, topk(x, 1, dim).indices, log_softmax(x, dim)}) {
      CHECK(index.shape() == Shape{});
      CHECK(index.item() == 0);
    }
    CHECK(softmax(x, dim).item() == 1);
    CHECK(var(x, dim, false, 0).item() == 0);
  }
}

TEST_CASE("A scalar's gradients along a dimension equal a one-element row's") {
  const Tensor x = parameter(5.);
  gradcheck([](Tensor x) { return sum(x, 0) * amax(x, -1) * mean(x, 0); }, {x});
  gradcheck([](Tensor x) { return cumsum(x, 0) * topk(x, 1).values * amin(x, 0); }, {x});
  gradcheck([](Tensor x) { return gather(x, 0, 0) * softmax(x, 0) * transpose(x, 0, -1); }, {x});
}

TEST_CASE("A number has no other dimension, and nothing to cut or to count along it") {
  const Tensor x = Tensor::of(5.);
  CHECK_THROWS_AS(x.size(0), IndexError);
  CHECK_THROWS_AS(split(x, 1), IndexError);
  CHECK_ERROR(ShapeError, sum(x, {0, -1}), "sum: dimension -1 of [] is named twice");
  CHECK_ERROR(ValueError, topk(x, 0), "topk: k = 0 is not in [1, 1]");
}
