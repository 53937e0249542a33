#include "tests/support/test.hpp"

const OpExample of_softmax(
    "softmax", [](Tensor x) { return softmax(x); }, "F.softmax(a, -1)", Shapes{{2, 3}});
const OpExample of_log_softmax(
    "log_softmax", [](Tensor x) { return log_softmax(x); }, "F.log_softmax(a, -1)", Shapes{{2, 3}});

TEST_CASE("softmax and its logarithm go along any dimension of any shape") {
  for (const Shape& shape : some_shapes()) {
    for (int dim = -shape.dims(); dim < shape.dims(); ++dim) {
      const Tensor x = leaf(shape), y = softmax(x, dim), total = sum(y, dim);
      CHECK(y.shape() == shape);
      CHECK_THAT(total.to_vector(), near(Values(total.numel(), y.size(dim) ? 1 : 0)));
      const Tensor logarithm = log_softmax(x, dim);
      CHECK(logarithm.shape() == shape);
      CHECK_THAT(exp(logarithm).to_vector(), near(y.to_vector()));
      gradcheck([&](Tensor x) { return softmax(std::move(x), dim); }, {x});
      gradcheck([&](Tensor x) { return log_softmax(std::move(x), dim); }, {x});
    }
  }
}

TEST_CASE("A masked position has no weight and no gradient, and disturbs no other") {
  const Tensor x = leaf({3, 3}), mask = Tensor::of({{0, 1, 1}, {0, 0, 1}, {0, 0, 0}});
  const Tensor y = softmax(masked_fill(x, mask, -infinity));
  CHECK((y * mask).to_vector() == Values(9, 0));
  CHECK(y.at(0, 0) == 1);
  y.backward(Tensor::randn({3, 3}));
  CHECK((x.grad() * mask).to_vector() == Values(9, 0));
}
