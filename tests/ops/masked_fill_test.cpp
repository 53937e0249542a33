#include "tests/support/test.hpp"

const OpExample of_masked_fill(
    "masked_fill", [](Tensor x, Tensor mask) { return masked_fill(x, mask, 9); }, "a.masked_fill(b != 0, 9)",
    [] {
      return Tensors{leaf({2, 3}), Tensor::of({0, 1, 0})};
    });

TEST_CASE("masked_fill_ in place has masked_fill's values and gradients") {
  const Tensor x = leaf({2, 3}), mask = Tensor::of({0, 1, 0}), y = x.clone();
  CHECK(y.masked_fill_(mask, 9).is(y));
  CHECK(y.to_vector() == x.masked_fill(mask, 9).to_vector());
  gradcheck([](Tensor x, Tensor m) { return (x * 2).masked_fill_(m, 9) * x; }, {x, mask});
  gradcheck([](Tensor x) { return (x * 2).masked_fill_(x > 0, 9); }, {leaf({3, 17}, {0})});
}

TEST_CASE("A mask that does not broadcast to the tensor fills nothing") {
  const Tensor x = Tensor::ones({3});
  CHECK_ERROR(
      ShapeError, masked_fill(x, Tensor::ones({2, 3}), 0), "masked_fill: a mask of [2, 3] does not broadcast to [3]");
  CHECK_ERROR(
      ShapeError, x.masked_fill_(Tensor::ones({2, 3}), 0), "masked_fill_: a mask of [2, 3] does not broadcast to [3]");
  CHECK_THROWS_AS(masked_fill(x, Tensor::ones({2}), 0), ShapeError);
  CHECK(x.to_vector() == Values{1, 1, 1});
  CHECK(x.storage()->version() == 0);
}
