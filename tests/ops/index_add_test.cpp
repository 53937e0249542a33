#include "tests/support/test.hpp"

const OpExample of_index_add(
    "index_add", [](Tensor x, Tensor ids, Tensor rows) { return index_add(x, ids, rows); }, "a.index_add(0, b, c)",
    [] {
      return Tensors{leaf({3, 3}), Tensor::of({2, 0, 2}), leaf({3, 3})};
    });

TEST_CASE("Rows are added at their ids, as often as an id comes, and none at no ids") {
  const Tensor x = Tensor::of({{1, 2}, {3, 4}, {5, 6}}), rows = Tensor::of({{10, 20}, {30, 40}});
  CHECK(index_add(x, Tensor::of({1, 1}), rows).to_vector() == Values{1, 2, 43, 64, 5, 6});
  CHECK(x.to_vector() == Values{1, 2, 3, 4, 5, 6});
  gradcheck(index_add, {leaf({3, 2}), Tensor::of({1, 1, 0, 1}), leaf({4, 2})});
  gradcheck(index_add, {leaf({3, 17}), Tensor::zeros({0}), leaf({0, 17})});
}

TEST_CASE("Rows and ids that do not fit are refused") {
  const Tensor x = leaf({3, 2});
  CHECK_ERROR(
      ShapeError, index_add(x, Tensor::of({1}), leaf({2, 2})), "index_add: rows of [2, 2] at [1] ids to [3, 2]");
  CHECK_THROWS_AS(index_add(x, Tensor::of({1}), leaf({1, 3})), ShapeError);
  CHECK_THROWS_AS(index_add(x, Tensor::of({1}), leaf({1})), ShapeError);
  CHECK_ERROR(
      IndexError, index_add(x, Tensor::of({3}), leaf({1, 2})), "index_add: id 3 is not a whole number in [0, 3)");
}
