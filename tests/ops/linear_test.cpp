#include "tests/support/test.hpp"

const auto product = [](Tensor x, Tensor w) { return linear(x, w); };

const OpExample of_linear("linear", product, "F.linear(a, b)", Shapes{{2, 3}, {4, 3}});

TEST_CASE("linear is the product with the transposed weight, for inputs of any shape") {
  for (const Shape& shape : {Shape{3}, {2, 3}, {4, 2, 3}, {1, 2, 1, 2, 1, 3}, {0, 3}, {2, 0, 3}}) {
    for (int64_t out : {0, 1, 4, 17}) {
      const Tensor x = leaf(shape), w = leaf({out, 3});
      CHECK_THAT(linear(x, w).to_vector(), near(matmul(x, w.transpose(0, 1)).to_vector()));
      CHECK(linear(x, w).shape() == shape.with(shape.dims() - 1, out));
      gradcheck(product, {x, w});
    }
  }
  CHECK(linear(Tensor::ones({2, 0}), Tensor::ones({3, 0})).to_vector() == Values(6, 0));
  gradcheck(product, {leaf({2, 0}), leaf({3, 0})});
  gradcheck([](Tensor x, Tensor w, Tensor b) { return linear(x, w, b); },
            {leaf({2, 3}), leaf({4, 3}), leaf({4})});
}

TEST_CASE("A weight that does not fit the input is refused") {
  CHECK_ERROR(ShapeError, linear(leaf({2, 3}), leaf({3, 2})),
              "linear: x [2, 3] and weight [3, 2]: not [.., in] and [out, in]");
  CHECK_ERROR(ShapeError, linear(leaf({2, 3}), leaf({3})),
              "linear: x [2, 3] and weight [3]: not [.., in] and [out, in]");
  CHECK_ERROR(ShapeError, linear(leaf({}), leaf({3, 1})),
              "linear: x [] and weight [3, 1]: not [.., in] and [out, in]");
}

TEST_CASE("linear saves X only for a weight that learns, and W only for an input with a gradient") {
  const Tensor x = Tensor::ones({2, 3}), w = Tensor::ones({4, 3});
  CHECK(saved_letters(linear(x, w.clone().requires_grad_())) == "X");
  CHECK(saved_letters(linear(x.clone().requires_grad_(), w)) == "W");
  CHECK(saved_letters(linear(x.clone().requires_grad_(), w.clone().requires_grad_())).size() == 2);
}
