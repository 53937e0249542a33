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
