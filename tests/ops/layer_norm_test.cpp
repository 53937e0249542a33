#include "tests/support/test.hpp"

const OpExample of_layer_norm(
    "layer_norm", [](Tensor x, Tensor w, Tensor b) { return layer_norm(x, w, b); }, "F.layer_norm(a, (3,), b, c)",
    Shapes{{2, 3}, {3}, {3}});

TEST_CASE("A row whose squares overflow, or vanish without eps, is normalised as any other") {
  using Float = std::numeric_limits<float>;  // rows are summed as doubles, in both libraries
  const Scalar huge = std::sqrt(Float::max()) * 10, tiny = std::sqrt(Float::min()) / 1000;
  const Tensor w = Tensor::of({2, 1, -3}), b = Tensor::of({1, 0, 5}), dY = Tensor::of({{1, 2, 4}});
  const Tensor plain = parameter({{1, -2, 3}});
  const Tensor expected = layer_norm(plain, w, b, 0);
  expected.backward(dY);
  for (const Scalar size : {huge, tiny, Scalar(Float::max() / 8)}) {
    const Tensor x = (plain * size).detach().requires_grad_();
    const Tensor y = layer_norm(x, w, b, size == tiny ? 0 : Scalar(1e-5));
    CHECK_THAT(y.to_vector(), near(expected.to_vector()));
    y.backward(dY);
    CHECK_THAT((x.grad() * size).to_vector(), near(plain.grad().to_vector()));
  }
}

TEST_CASE("A weight or bias of another size than the last is refused") {
  const Tensor x = leaf({2, 3}), w = leaf({3});
  CHECK_ERROR(ShapeError, layer_norm(x, w, leaf({2})),
      "layer_norm: weight [3] and bias [2] are not of the last size of [2, 3]");
  CHECK_ERROR(
      ShapeError, layer_norm(leaf({}), w, w), "layer_norm: weight [3] and bias [3] are not of the last size of []");
}
