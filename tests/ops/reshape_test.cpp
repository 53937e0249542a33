#include "tests/support/test.hpp"

using namespace stepgrad;

const OpExample example_of_reshape(
    "reshape",
    [](Tensor x) {
      return reshape(x, {3, -1});
    },
    "a.reshape(3, -1)", Shapes{{2, 3}});

TEST_CASE("A tensor of any shape is reshaped to any other of as many elements") {
  for (const Shape& from : some_shapes()) {
    for (const Shape& to : some_shapes()) {
      if (from.numel() != to.numel()) continue;
      const Tensor x = leaf(from), y = reshape(x, to);
      CHECK(y.shape() == to);
      CHECK(y.to_vector() == x.to_vector());
      gradcheck([&](Tensor x) { return reshape(std::move(x), to); }, {x});
    }
  }
}

TEST_CASE("A dimension of size 1 is put in anywhere and taken out again") {
  const Tensor x = leaf({2, 3});
  CHECK(x.unsqueeze(0).shape() == Shape{1, 2, 3});
  CHECK(x.unsqueeze(2).shape() == Shape{2, 3, 1});
  CHECK(x.unsqueeze(-1).shape() == Shape{2, 3, 1});
  CHECK(x.unsqueeze(-3).shape() == Shape{1, 2, 3});
  CHECK(leaf({}).unsqueeze(0).shape() == Shape{1});
  CHECK(x.unsqueeze(1).squeeze(1).shape() == Shape{2, 3});
  CHECK(leaf({1, 2, 1}).squeeze(-1).shape() == Shape{1, 2});
  CHECK(x.squeeze(0).shape() == Shape{2, 3});
  gradcheck([](Tensor x) { return unsqueeze(x, -2); }, {x});
  gradcheck([](Tensor x) { return squeeze(x, -2); }, {leaf({2, 1, 3})});
}

TEST_CASE("A shape that does not hold the elements is refused") {
  const Tensor x = leaf({2, 3});
  const auto refused = [&](const Shape& to) {
    return message<ShapeError>([&] { reshape(x, to); });
  };
  CHECK(refused({4}) == "reshape: [2, 3] to [4]: 6 elements do not fit");
  CHECK(refused({4, -1}) == "reshape: [2, 3] to [4, -1]: 6 elements do not fit");
  CHECK(refused({0, -1}) == "reshape: [2, 3] to [0, -1]: 6 elements do not fit");
  CHECK(refused({-1, -1}) == "reshape: [-1, -1] has two -1");
  CHECK(refused({-2, -3}) == "reshape: [-2, -3] has a negative size");
  CHECK(refused({-2, -1}) == "reshape: [-2, 1] has a negative size");
  CHECK_ERROR(ShapeError, Tensor::zeros({2, 0}).reshape({0, -1}),
              "reshape: [2, 0] to [0, -1]: any size would do for -1");
  CHECK_ERROR(IndexError, x.unsqueeze(3), "unsqueeze: [2, 3] has no place 3");
  CHECK_ERROR(IndexError, x.unsqueeze(-4), "unsqueeze: [2, 3] has no place -4");
}
