// 2⁵⁰ rows of no columns hold nothing, and to go over them one by one would take days.
#include "tests/support/test.hpp"

namespace {

constexpr int64_t rows = int64_t{1} << 50;

Tensor no_columns() { return Tensor::zeros({rows, 0}).requires_grad_(); }

// f's result of that shape, and a gradient of x's shape, both at once.
void check_at_once(auto f, const Shape& shape) {
  const Tensor x = no_columns(), y = f(x);
  CHECK(y.shape() == shape);
  y.backward(Tensor::ones(shape));
  CHECK(x.grad().shape() == x.shape());
}

}

TEST_CASE("Rows of no columns are summed, compared and normalised at once") {
  check_at_once([](Tensor x) { return sum(x, 0); }, {0});
  check_at_once([](Tensor x) { return sum(x); }, {});
  check_at_once([](Tensor x) { return mean(x, 0); }, {0});
  check_at_once([](Tensor x) { return amax(x, 0); }, {0});
  check_at_once([](Tensor x) { return amin(x, 0); }, {0});
  check_at_once([](Tensor x) { return softmax(x); }, {rows, 0});
  check_at_once([](Tensor x) { return softmax(x, 0); }, {rows, 0});
  check_at_once([](Tensor x) { return log_softmax(x); }, {rows, 0});
  check_at_once([](Tensor x) { return log_softmax(x, 0); }, {rows, 0});
}

TEST_CASE("Rows of no columns are drawn, cut, laid out and put together at once") {
  CHECK(Tensor::rand({rows, 0}).numel() == 0);
  CHECK(Tensor::randn({rows, 0}).numel() == 0);
  CHECK(dropout_mask(no_columns(), 0.5).numel() == 0);
  check_at_once([](Tensor x) { return triu(x); }, {rows, 0});
  check_at_once([](Tensor x) { return concat({x, x}, 1); }, {rows, 0});
  check_at_once([](Tensor x) { return concat({x, x}, 0); }, {2 * rows, 0});
  check_at_once([](Tensor x) { return slice(x, 0, 1, rows); }, {rows - 1, 0});
  check_at_once([](Tensor x) { return transpose(x, 0, 1); }, {0, rows});
  check_at_once([](Tensor x) { return repeat(x, {2, 3}); }, {2 * rows, 0});
  check_at_once([](Tensor x) { return expand(unsqueeze(x, 1), {rows, 5, 0}); }, {rows, 5, 0});
}

TEST_CASE("Rows of no columns are broadcast and multiplied at once") {
  check_at_once([](Tensor x) { return x * Tensor::ones({1, 0}) + Tensor::ones({0}); }, {rows, 0});
  check_at_once([](Tensor x) { return matmul(x, Tensor::ones({0, 0})); }, {rows, 0});
  check_at_once([](Tensor x) { return linear(x, Tensor::ones({0, 0})); }, {rows, 0});
  check_at_once([](Tensor x) { return matmul(Tensor::ones({0, 3}), reshape(x, {rows, 3, 0})); }, {rows, 0, 0});
}
