#include "tests/support/test.hpp"

TEST_CASE("select and x[i] take one part along a dimension, from either end, with its gradient") {
  const Tensor x = Tensor::of({{1, 2, 3}, {4, 5, 6}});
  CHECK(x[1].to_vector() == Values{4, 5, 6});
  CHECK(x[-2][0].item() == 1);
  gradcheck([](Tensor x) { return x[-1] * x[0]; }, {leaf({3, 2})});
  CHECK_ERROR(IndexError, x[2], "select: index 2 along dimension 0 of [2, 3]");
  CHECK_ERROR(IndexError, select(x, -1, -4), "select: index -4 along dimension 1 of [2, 3]");
  CHECK_ERROR(IndexError, Tensor::ones({})[0], "select: [] has no dimension 0");
}

TEST_CASE("Assigning to x[i] writes over that part, also over the output of an op under NoGrad") {
  const Tensor x = Tensor::zeros({3, 2}), y = Tensor::of({{1, 2}});
  x[0] = Tensor::of({5, 6});
  x[-1] = 7;
  x[1] = x[0];
  CHECK(x.to_vector() == Values{5, 6, 5, 6, 7, 7});
  x[0] = y[0];
  CHECK(x[0].to_vector() == Values{1, 2});
  auto row = x[2];
  row = y[0];
  CHECK(x[2].to_vector() == Values{7, 7});
  const Tensor halves = Tensor::of({{0.5, 1.5}, {2, 3}}), ids = Tensor::of({{1, 2}});
  halves[0] = ids[0];
  CHECK(halves.kind() == Kind::floating);  // though a whole row of it is
  static_assert(!std::is_assignable_v<Tensor&&, Tensor>, "select(x, 0, 1) = y would do nothing");

  const Tensor w = leaf({2, 2}), product = w * w;
  CHECK_THROWS_AS(w[0] = 1, TapeError);
  CHECK_THROWS_AS(x[0] = w[0], TapeError);
  CHECK_ERROR(ShapeError, x[0] = Tensor::ones({3}), "x[i] =: [3] and [2] do not broadcast, 3 != 2");
  CHECK_ERROR(ShapeError, x[0] = Tensor::ones({3, 2}), "x[i] =: [3, 2] does not broadcast to [2]");
  {
    const NoGrad no_grad;
    w[0] = 0;
  }
  CHECK(w.at(0, 1) == 0);
  CHECK_THROWS_AS(product.backward(product), TapeError);  // w was saved
}

TEST_CASE("Writing overlapping rows copies the old values") {
  const Tensor x = arange(24).view({2, 3, 4}), flat = x.view({24});
  x[0] = flat.slice(0, 2, 6);  // [4], for each of three rows that begin at 0
  CHECK(x[0].to_vector() == Values{2, 3, 4, 5, 2, 3, 4, 5, 2, 3, 4, 5});
  CHECK(x[1].to_vector() == Values{12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23});
}
