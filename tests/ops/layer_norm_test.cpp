#include "tests/support/test.hpp"

const OpExample of_layer_norm(
    "layer_norm", [](Tensor x, Tensor w, Tensor b) { return layer_norm(x, w, b); },
    "F.layer_norm(a, (3,), b, c)", Shapes{{2, 3}, {3}, {3}});

TEST_CASE("A weight or bias of another size than the last is refused") {
  const Tensor x = leaf({2, 3}), w = leaf({3});
  CHECK_ERROR(ShapeError, layer_norm(x, w, leaf({2})),
              "layer_norm: weight [3] and bias [2] are not of the last size of [2, 3]");
  CHECK_ERROR(ShapeError, layer_norm(leaf({}), w, w),
              "layer_norm: weight [3] and bias [3] are not of the last size of []");
}

TEST_CASE("A long row of equal or of close numbers is centred, whatever sums it") {
  const Tensor w = Tensor::ones({512}), b = Tensor::zeros({512});
  const Tensor y = layer_norm(Tensor::full({1, 512}, Scalar(100.1)), w, b);
  CHECK(amax(abs(y), 1).item() < Scalar(1e-2));
  const Tensor close = Tensor::randn({4, 512}) * 0.01 + 30;
  CHECK(amax(abs(mean(layer_norm(close, w, b), 1)), 0).item() < Scalar(1e-3));
}
