#include "tests/support/test.hpp"

const OpExample of_sum(
    "sum", [](Tensor x) { return sum(x, -1); }, "a.sum(-1)", Shapes{{2, 3}});

namespace {

void check_sum(const Tensor& x, Dims dims) {  // and the mean
  for (bool keepdim : {false, true}) {
    const Tensor y = sum(x, dims, keepdim);
    CHECK(y.shape() == reduced_shape(x, dims, keepdim));
    CHECK_THAT(y.to_vector(), near(sums_over(x, dims)));
    gradcheck([&](Tensor x) { return sum(x, dims, keepdim); }, {x});
    const Tensor m = mean(x, dims, keepdim);
    CHECK(m.shape() == y.shape());
    if (x.numel() == 0) continue;
    CHECK_THAT((m * x.numel() / y.numel()).to_vector(), near(y.to_vector()));
    gradcheck([&](Tensor x) { return mean(x, dims, keepdim); }, {x});
  }
}

}

TEST_CASE("A sum goes over any set of dimensions in any order") {
  const Tensor x = leaf({2, 3, 4});
  check_sum(x, {0}), check_sum(x, {1}), check_sum(x, {2});
  check_sum(x, {0, 1}), check_sum(x, {1, 2}), check_sum(x, {2, 0});
  check_sum(x, {1, 2, 0});
  const Tensor six = leaf({2, 1, 3, 2, 1, 2});
  check_sum(six, {0, 2, 4}), check_sum(six, {1, 3, 5}), check_sum(six, {0, 1, 4, 5});
  check_sum(leaf({5}), {0});
}

TEST_CASE("A sum over all dimensions is a single number") {
  for (const Shape& shape : some_shapes()) {
    const Tensor x = leaf(shape), y = sum(x);
    CHECK(y.shape() == Shape{});
    double expected = 0;
    for (Scalar value : x.to_vector()) expected += value;
    CHECK_THAT(y.to_vector(), near({static_cast<Scalar>(expected)}));
    gradcheck([](Tensor x) { return sum(x); }, {x});
  }
}

TEST_CASE("A sum over nothing is zero") {
  check_sum(leaf({0}), {0});
  check_sum(leaf({2, 0, 3}), {1});
  check_sum(leaf({2, 0, 3}), {0, 2});
  CHECK(sum(Tensor::zeros({2, 0}), 1).to_vector() == Values{0, 0});
}

TEST_CASE("A dimension that does not exist or is named twice is not summed over") {
  const Tensor x = leaf({2, 3});
  CHECK_ERROR(IndexError, sum(x, {0, -3}), "sum: [2, 3] has no dimension -3");
  CHECK_ERROR(ShapeError, sum(x, {1, -1}), "sum: dimension -1 of [2, 3] is named twice");
}
