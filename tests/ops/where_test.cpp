#include "tests/support/test.hpp"

const OpExample of_where(
    "where", [](Tensor a, Tensor b, Tensor mask) { return where(mask, a, b); },
    "torch.where(c != 0, a, b)",
    [] {
      return Tensors{leaf({2, 3}), leaf({3}), Tensor::of({0, 1, 0})};
    });

TEST_CASE("where broadcasts all three, and gradients go to the chosen elements") {
  const Tensor mask = Tensor::of({0, 1, 1});
  for (const Broadcast& shape : broadcasting_pairs()) {
    if (shape.y.dims() == 0 || shape.y[-1] != 3) continue;
    const Tensor a = leaf(shape.a), b = leaf(shape.b), y = where(mask, a, b);
    CHECK(y.shape() == shape.y);
    Values expected;
    for (int64_t i = 0; i < y.numel(); ++i) {
      expected.push_back(broadcast_at(i % 3 ? a : b, shape.y, i));
    }
    CHECK(y.to_vector() == expected);
    gradcheck(where, {mask, a, b});
  }
  gradcheck([](Tensor x) { return where(Tensor::of({1, 0}).unsqueeze(1), x, x); }, {leaf({3})});
  CHECK(where(1, 2, 3).item() == 2);
}

TEST_CASE("Shapes that do not broadcast are not chosen from") {
  const Tensor a = Tensor::ones({2, 3}), b = Tensor::ones({2}), c = Tensor::ones({3});
  CHECK_ERROR(ShapeError, where(c, a, b), "where: [2, 3] and [2] do not broadcast, 3 != 2");
  CHECK_ERROR(ShapeError, where(b, a, c), "where: [2] and [2, 3] do not broadcast, 2 != 3");
}
