#include <array>

#include "tests/support/test.hpp"

const OpExample of_permute(
    "permute",
    [](Tensor x) {
      return permute(x, {2, 0, 1});
    },
    "a.permute(2, 0, 1)", Shapes{{3, 3, 2}});

TEST_CASE("The three dimensions of a tensor are put in every order") {
  const Tensor x = leaf({2, 3, 4});
  std::array<int, 3> order{0, 1, 2};
  do {
    const int a = order[0], b = order[1], c = order[2];
    const Tensor y = permute(x, {a, b, c});
    CHECK(y.shape() == Shape{x.size(a), x.size(b), x.size(c)});
    std::array<int64_t, 3> at;
    for (at[0] = 0; at[0] < 2; ++at[0]) {
      for (at[1] = 0; at[1] < 3; ++at[1]) {
        for (at[2] = 0; at[2] < 4; ++at[2]) {
          CHECK(y.at(at[a], at[b], at[c]) == x.at(at[0], at[1], at[2]));
        }
      }
    }
    gradcheck([&](Tensor x) { return permute(x, {a, b, c}); }, {x});
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST_CASE("Dimensions that do not exist, are missing or named twice are not permuted") {
  const Tensor x = leaf({2, 3});
  CHECK_ERROR(IndexError, x.permute({0, 2}), "permute: [2, 3] has no dimension 2");
  CHECK_ERROR(ShapeError, x.permute({0, -2}), "permute: dimension -2 of [2, 3] is named twice");
  CHECK_ERROR(ShapeError, x.permute({1}), "permute: 1 dimensions named of [2, 3]");
  CHECK_ERROR(ShapeError, x.permute({}), "permute: 0 dimensions named of [2, 3]");
}
