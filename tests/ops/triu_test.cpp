#include "tests/support/test.hpp"

const OpExample of_triu(
    "triu", [](Tensor x) { return triu(x, 1); }, "a.triu(1)", Shapes{{2, 3}});

TEST_CASE("Elements below the diagonal become zero, and so does their gradient") {
  const Tensor x = Tensor::of({{1, 2, 3}, {4, 5, 6}});
  CHECK(x.triu().to_vector() == Values{1, 2, 3, 0, 5, 6});
  CHECK(x.triu(1).to_vector() == Values{0, 2, 3, 0, 0, 6});
  CHECK(x.triu(-1).to_vector() == Values{1, 2, 3, 4, 5, 6});
  gradcheck([](Tensor x) { return triu(std::move(x), -1); }, {leaf({2, 1, 2, 1, 3, 2})});
}

TEST_CASE("A NaN below the diagonal disappears") {
  const Tensor x = parameter({{NAN, 1}, {NAN, infinity}});
  const Tensor y = triu(x);
  y.backward(Tensor::full({2, 2}, 2));
  CHECK(text(y) == "nan 1 0 inf");
  CHECK(x.grad().to_vector() == Values{2, 2, 0, 2});
}

TEST_CASE("triu refuses a tensor of fewer than two dimensions") {
  CHECK_ERROR(ShapeError, triu(leaf({3})), "triu: [3] is no matrix");
}

TEST_CASE("A diagonal beyond the corners, however far, is the corners'") {
  const Tensor x = Tensor::of({{1, 2}, {3, 4}});
  constexpr auto far = std::numeric_limits<int64_t>::max();
  CHECK(x.triu(far).to_vector() == Values{0, 0, 0, 0});
  CHECK(x.triu(-far - 1).to_vector() == Values{1, 2, 3, 4});
  CHECK(x.tril(far).to_vector() == Values{1, 2, 3, 4});
  CHECK(x.tril(-far - 1).to_vector() == Values{0, 0, 0, 0});
}
