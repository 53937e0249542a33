#include "tests/support/test.hpp"

const OpExample of_embedding(
    "embedding", [](Tensor w, Tensor ids) { return embedding(w, ids); }, "F.embedding(b, a)",
    [] {
      return Tensors{leaf({3, 4}), Tensor::of({{2, 0, 2}, {1, 2, 2}})};
    });

TEST_CASE("Ids that require a gradient get none") {
  const Tensor table = leaf({4, 3}), ids = parameter({1, 2});
  embedding(table, ids).backward(Tensor::ones({2, 3}));
  CHECK_FALSE(ids.grad().defined());
  CHECK_FALSE(embedding(table.detach(), ids).requires_grad());
}

TEST_CASE("Ids that are no rows of the table, and tables that are no matrices, are refused") {
  const Tensor table = leaf({4, 3});
  for (const Scalar id : {Scalar(4), Scalar(-1), Scalar(1.5), Scalar(NAN), infinity})
    CHECK_ERROR(IndexError, embedding(table, Tensor::of({1, id})),
        "embedding: id " + text(Tensor::full({}, id)) + " is not a whole number in [0, 4)");
  CHECK_ERROR(ShapeError, embedding(Tensor::ones({4}), Tensor::of({1})), "embedding: a table of [4] is not [n, d]");
  CHECK_THROWS_AS(embedding(table, Tensor::zeros({1, 1, 1, 1, 1, 1})), ShapeError);
}
