#include "tests/support/test.hpp"

const OpExample of_mean(
    "mean", [](Tensor x) { return mean(x, 0); }, "a.mean(0)", Shapes{{2, 3}});

TEST_CASE("The mean of nothing is NaN and its gradient is empty") {
  CHECK(text(mean(Tensor::zeros({0}))) == "nan");
  CHECK(text(mean(Tensor::zeros({0, 2}), 0)) == "nan nan");
  CHECK(mean(Tensor::zeros({0, 2}), 1).shape() == Shape{0});
  const Tensor x = leaf({0, 2});
  mean(x).backward();
  CHECK(x.grad().shape() == Shape{0, 2});
}
