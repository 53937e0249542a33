#include "tests/support/test.hpp"

const OpExample of_where(
    "where", [](Tensor a, Tensor b, Tensor mask) { return where(mask, a, b); }, "torch.where(c != 0, a, b)",
    [] {
      return Tensors{leaf({2, 3}), leaf({3}), Tensor::of({0, 1, 0})};
    });

TEST_CASE("Shapes that do not broadcast are not chosen from") {
  const Tensor a = Tensor::ones({2, 3}), b = Tensor::ones({2}), c = Tensor::ones({3});
  CHECK_ERROR(ShapeError, where(c, a, b), "where: [2, 3] and [2] do not broadcast, 3 != 2");
  CHECK_ERROR(ShapeError, where(b, a, c), "where: [2] and [2, 3] do not broadcast, 2 != 3");
}
