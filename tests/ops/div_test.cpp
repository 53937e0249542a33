#include "ops/div.hpp"

#include "ops/mul.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/gradcheck.hpp"
#include "tests/support/shapes.hpp"

using namespace stepgrad;

const OpExample example("div", stepgrad::div, [] { return Tensors{leaf({2, 3}), leaf({3}, {0})}; });

TEST_CASE("Quotients broadcast, and their gradients are summed back") {
  for (const Broadcast& shape : broadcasting_pairs()) {
    const Tensor a = leaf(shape.a), b = leaf(shape.b, {0}), y = a / b;
    CHECK(y.shape() == shape.y);
    CHECK(y.to_vector() == for_each_element(shape.y, a, b, std::divides<>()));
    gradcheck(stepgrad::div, {a, b});
  }
}

TEST_CASE("A tensor is divided by itself, by numbers, and they by it") {
  gradcheck([](Tensor x) { return x / x; }, {leaf({2, 3}, {0})});
  gradcheck([](Tensor x) { return 2 / x / 0.5; }, {leaf({2, 3}, {0})});
  CHECK((1 / Tensor::of({1, 2}) / 2).to_vector() == Values{0.5, 0.25});
}

TEST_CASE("A quotient that takes over its right operand is the same") {
  const Tensor a = Tensor::of({1, 2, 3});
  CHECK((a / Tensor::of({2, 2, 2})).to_vector() == Values{0.5, 1, 1.5});
  CHECK((Tensor::of({6, 6, 6}) / a).to_vector() == Values{6, 3, 2});
}

TEST_CASE("div_ in place has the gradients of those of its operands that want one") {
  const Tensor b = leaf({3}, {0}), constant = b.detach();
  gradcheck([](Tensor x, Tensor b) { return (x * 2).div_(b) * x; }, {leaf({2, 3}), b});
  gradcheck([=](Tensor x) { return (x * 2).div_(constant) * x; }, {leaf({2, 3})});
}

TEST_CASE("Division by zero and of infinities gives PyTorch's values and gradients") {
  const Tensor a = Tensor::of({1, 0, -1, infinity, infinity, 2, NAN}).requires_grad_();
  const Tensor b = Tensor::of({0, 0, 0, infinity, 2, infinity, 1}).requires_grad_(), y = a / b;
  y.backward(Tensor::ones({7}));
  CHECK(text(y.detach()) == "inf nan -inf nan inf 0 nan");
  CHECK(text(a.grad()) == "inf inf inf 0 0.5 0 1");
  CHECK(text(b.grad()) == "-inf nan inf nan -inf -0 nan");
}

TEST_CASE("Shapes that do not broadcast are not divided") {
  CHECK(message<ShapeError>([] {
          Tensor::ones({2, 3}) / Tensor::ones({4, 2, 1, 2});
        }) == "div: [2, 3] and [4, 2, 1, 2] do not broadcast, 3 != 2");
}

TEST_CASE("The gradient of the divisor does not overflow before it has to") {
  const Tensor b = Tensor::of({1e-39}).requires_grad_();
  div(Tensor::of({0}), b).backward(Tensor::of({1}));
  CHECK(b.grad().item() == 0);
}
