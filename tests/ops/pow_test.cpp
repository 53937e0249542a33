#include <span>

#include "tests/support/test.hpp"

const OpExample of_pow(
    "pow", [](Tensor a, Tensor b) { return pow(a * a, b); }, "(a * a) ** b",
    [] {
      return Tensors{leaf({2, 3}, {-1, 0, 1}), leaf({3}, {0})};
    });

TEST_CASE("Powers broadcast, and their gradients are summed back") {
  for (const Broadcast& shape : broadcasting_pairs()) {
    const Tensor a = leaf(shape.a), b = leaf(shape.b);
    for (Scalar& value : std::span(a.data(), a.numel())) value = value * value + Scalar(0.5);
    const Tensor y = pow(a, b);
    CHECK(y.shape() == shape.y);
    CHECK_THAT(y.to_vector(), near(pow(a.expand(shape.y), b.expand(shape.y)).to_vector()));
    gradcheck(stepgrad::pow, {a, b});
  }
}

TEST_CASE("A power saves its result only for an exponent that requires a gradient") {
  const Tensor w = leaf({2}).abs().detach().requires_grad_(), x = Tensor::ones({2});
  CHECK_THAT(saved_letters(stepgrad::pow(w, x)), !ContainsSubstring("Y"));
  CHECK_THAT(saved_letters(stepgrad::pow(x, w)), ContainsSubstring("Y"));
}
