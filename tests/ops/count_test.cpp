// Positions and counts are Scalars, too: whole numbers are exact up to 2^24, and in double 2^53.
// What may be beyond is refused. Of tensors that large nobody reads an element, so that they cost
// nothing.
#include "tests/support/test.hpp"

constexpr bool in_float = sizeof(Scalar) == sizeof(float);
constexpr int64_t many = max_whole + 1;

TEST_CASE("argmax and topk refuse more elements than a float can count") {
  if (!in_float) return;
  const Tensor x = Tensor::empty({many}), column = x.reshape({many, 1});
  CHECK_ERROR(ShapeError, argmax(x),
      "argmax: [16777217] has more than 16777216 elements along dimension 0, too many for "
      "each to have an index that is exact");
  CHECK_THROWS_AS(argmin(column, 0), ShapeError);
  CHECK_THROWS_AS(max(x, 0), ShapeError);
  CHECK_THROWS_AS(min(column, -2), ShapeError);
  CHECK_THROWS_AS(topk(x, 1), ValueError);
  CHECK_THROWS_AS(topk(column, 1, 0, false), ValueError);
  CHECK_THROWS_AS(top_k_mask(x, 1), ValueError);
}

TEST_CASE("An id too large to be exact is refused") {
  if (!in_float) return;
  const Tensor x = Tensor::empty({many, 1}), ids = Tensor::of({max_whole});
  CHECK_ERROR(IndexError, embedding(x, ids),
      "embedding: a whole number from 16777216 on may have been rounded, and is not taken "
      "for an index or a count");
  CHECK_THROWS_AS(gather(x, 0, ids.reshape({1, 1})), IndexError);
  CHECK_THROWS_AS(index_add(x, ids, Tensor::ones({1, 1})), IndexError);
  CHECK_THROWS_AS(one_hot(ids, many), IndexError);
  CHECK_THROWS_AS(cross_entropy(x.reshape({1, many}), ids), IndexError);
}

TEST_CASE("The last exact index works") {
  if (!in_float) return;
  const Tensor x = Tensor::zeros({max_whole});
  x.data()[max_whole - 1] = 5;
  const auto [values, indices] = max(x, 0);
  CHECK(values.item() == 5);
  CHECK(int64_t(indices.item()) == max_whole - 1);
}

TEST_CASE("Integers add up exactly, or not at all") {
  const Tensor quarters = Tensor::full({4}, max_whole / 4);
  CHECK(int64_t(sum(quarters.slice(0, 0, 3)).item()) == max_whole / 4 * 3);
  CHECK_THROWS_AS(sum(quarters), ValueError);
  CHECK_THROWS_AS(sum(quarters.reshape({1, 4}), 1, true), ValueError);
  CHECK_THROWS_AS(cumsum(-quarters, 0), ValueError);
  CHECK(sum(quarters * 1.).item() == max_whole);  // floats
  CHECK_ERROR(ValueError, Tensor::of({1, max_whole + 1}),
      "a tensor of " + std::to_string(max_whole + 1) + ": a Scalar does not hold this integer");
  CHECK_THROWS_AS(Tensor::from(std::vector<int64_t>{max_whole + 1}), ValueError);
  CHECK(int64_t(Tensor::from(std::vector<int64_t>{max_whole + 2}).item()) == max_whole + 2);
}
