#include "tests/support/test.hpp"

const OpExample of_gather(
    "gather",
    [](Tensor x) {
      return gather(x, 1, Tensor::of({{2, 2}, {0, 1}}));
    },
    "a.gather(1, torch.tensor([[2, 2], [0, 1]]))", Shapes{{2, 3}});

TEST_CASE("An index that is smaller in other dimensions gathers from the front of them") {
  const Tensor index = Tensor::of({{2}, {0}});
  CHECK(gather(Tensor::of({{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}), 1, index).to_vector() == Values{3, 4});
  gradcheck([=](Tensor x) { return gather(x, 1, index); }, {leaf({3, 3})});
  gradcheck([=](Tensor x) { return gather(x, 0, Tensor::of({{{2}}})); }, {leaf({3, 2, 4})});
}

TEST_CASE("gather refuses an index out of range") {
  const Tensor x = leaf({2, 3});
  CHECK_ERROR(ShapeError, gather(x, 1, Tensor::zeros({3, 1})),
      "gather: [2, 3] by an index of [3, 1]: it is larger in another dimension than 1");
  CHECK_ERROR(IndexError, gather(x, 0, Tensor::full({1, 3}, 2)), "gather: id 2 is not a whole number in [0, 2)");
  CHECK_ERROR(IndexError, gather(x, -1, Tensor::full({2, 1}, 3)), "gather: id 3 is not a whole number in [0, 3)");
}
