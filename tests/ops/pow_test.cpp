#include <span>

#include "tests/support/test.hpp"

using namespace stepgrad;

const OpExample example_of_pow(
    "pow", [](Tensor a, Tensor b) { return pow(a * a, b); }, "(a * a) ** b",
    [] {
      return Tensors{leaf({2, 3}, {-1, 0, 1}), leaf({3}, {0})};
    });

TEST_CASE("Powers broadcast, and their gradients are summed back") {
  for (const Broadcast& shape : broadcasting_pairs()) {
    const Tensor a = leaf(shape.a), b = leaf(shape.b);
    for (Scalar& value : std::span(a.data(), a.numel())) value = value * value + Scalar(0.5);
    const Tensor y = pow(a, b);
    const auto plain = [](Scalar a, Scalar b) { return std::pow(a, b); };
    CHECK(y.shape() == shape.y);
    CHECK_THAT(y.to_vector(), near(for_each_element(shape.y, a, b, plain)));
    gradcheck(stepgrad::pow, {a, b});
  }
}

TEST_CASE("Whole powers of negative numbers have gradients") {
  gradcheck([](Tensor x) { return pow(x, 2); }, {leaf({3, 4})});
  gradcheck([](Tensor x) { return pow(x, 3); }, {leaf({3, 4})});
  gradcheck([](Tensor x) { return pow(x, -1); }, {leaf({3, 4}, {0})});
}

TEST_CASE("Powers of zero and to zero have PyTorch's gradients, also for an upstream one of zero") {
  const Tensor a = parameter({0, 0, 0, 2, infinity, 0, 0});
  const Tensor b = parameter({0, 2, 1, 0, 2, 0.5, NAN}), y = stepgrad::pow(a, b);
  CHECK(text(y) == "1 0 0 1 inf 0 nan");
  y.backward(Tensor::ones({7}), true);
  CHECK(text(a.grad()) == "0 0 1 0 inf inf nan");
  CHECK(text(b.grad()) == "0 0 0 0.693147 inf 0 nan");
  a.set_grad({}), b.set_grad({});
  y.backward(Tensor::zeros({7}));
  CHECK(text(a.grad()) == "0 0 0 0 nan nan nan");
  CHECK(text(b.grad()) == "0 0 0 0 nan 0 nan");
}

TEST_CASE("Powers of negative numbers, and negative powers of zero, have PyTorch's gradients") {
  const Tensor a = parameter({-2, -2, -2, -2, -0.5, 0, 0});
  const Tensor b = parameter({2, 3, -1, 0.5, 0, -1, -2}), y = stepgrad::pow(a, b);
  CHECK(text(y) == "4 -8 -0.5 nan 1 inf inf");
  y.backward(Tensor::ones({7}));
  CHECK(text(a.grad()) == "-4 12 -0.25 nan 0 -inf -inf");
  CHECK(text(b.grad()) == "nan nan nan nan nan -inf -inf");
}

TEST_CASE("A power saves its result only for an exponent that requires a gradient") {
  const Tensor w = leaf({2}).abs().detach().requires_grad_(), x = Tensor::ones({2});
  CHECK_THAT(saved_letters(stepgrad::pow(w, x)), !ContainsSubstring("Y"));
  CHECK_THAT(saved_letters(stepgrad::pow(x, w)), ContainsSubstring("Y"));
}
