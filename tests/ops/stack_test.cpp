#include "tests/support/test.hpp"

TEST_CASE("Tensors that differ in shape are not stacked") {
  const Tensor a = Tensor::of({1, 2});
  CHECK_ERROR(ShapeError, stack({a, Tensor::ones({3})}), "stack: [2] and [3] differ");
  CHECK_ERROR(ShapeError, stack({}), "stack: of no tensors at all");
  CHECK_ERROR(IndexError, stack({a}, 2), "unsqueeze: [2] has no place 2");
}

TEST_CASE("split and chunk cut, and cat puts together again") {
  const Tensor x = arange(10).view({5, 2});
  const Tensors parts = split(x, 2);
  REQUIRE(parts.size() == 3);
  CHECK(parts[2].to_vector() == Values{8, 9});
  CHECK(allclose(cat(parts), x));
  CHECK(x.split({1, 4})[1].shape() == Shape{4, 2});
  CHECK(chunk(x, 2).size() == 2);
  CHECK(chunk(x, 4).size() == 3);  // as PyTorch: of 2, 2, 1
  CHECK(x.chunk(2, 1)[1].to_vector() == Values{1, 3, 5, 7, 9});
  for (const auto& none : {split(Tensor::zeros({0, 2}), 3), chunk(Tensor::zeros({0, 2}), 3)}) CHECK(none.size() == 1);
  constexpr auto most = std::numeric_limits<int64_t>::max();
  CHECK(split(x, most).size() == 1);
  CHECK(chunk(x, most).size() == 5);
  CHECK_THROWS_AS(split(x, {most, most, 7}), ValueError);  // whose sum is 5, if it wraps around
  CHECK_THROWS_AS(split(x, {-most, 5, most}), ValueError);
  gradcheck([](Tensor x) { return cat({split(x, 2)[1], chunk(x, 2)[0]}); }, {leaf({5, 2})});
  CHECK_ERROR(ValueError, split(x, 0), "split: size 0 is not positive");
  CHECK_ERROR(ValueError, x.split({2, 2}), "split: the sizes do not add up to the 5 of dimension 0 of [5, 2]");
}
