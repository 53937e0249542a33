#include "tests/support/test.hpp"

const auto product = [](Tensor x, Tensor w) { return linear(x, w); };

const OpExample of_linear("linear", product, "F.linear(a, b)", Shapes{{2, 3}, {4, 3}});

TEST_CASE("A weight that does not fit the input is refused") {
  CHECK_ERROR(
      ShapeError, linear(leaf({2, 3}), leaf({3, 2})), "linear: x [2, 3] and weight [3, 2]: not [.., in] and [out, in]");
  CHECK_THROWS_AS(linear(leaf({2, 3}), leaf({3})), ShapeError);
  CHECK_THROWS_AS(linear(leaf({}), leaf({3, 1})), ShapeError);
}

TEST_CASE("linear saves X only for a weight that learns, and W only for an input with a gradient") {
  const Tensor x = Tensor::ones({2, 3}), w = Tensor::ones({4, 3});
  CHECK(saved_letters(linear(x, w.clone().requires_grad_())) == "X");
  CHECK(saved_letters(linear(x.clone().requires_grad_(), w)) == "W");
  CHECK(saved_letters(linear(x.clone().requires_grad_(), w.clone().requires_grad_())).size() == 2);
}
