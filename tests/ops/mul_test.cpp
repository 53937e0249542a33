#include "ops/mul.hpp"

#include "ops/add.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/gradcheck.hpp"
#include "tests/support/shapes.hpp"

using namespace stepgrad;

const OpExample example("mul", mul, [] { return Tensors{leaf({2, 3}), leaf({3})}; });

TEST_CASE("Products broadcast, and their gradients are summed back") {
  for (const Broadcast& shape : broadcasting_pairs()) {
    const Tensor a = leaf(shape.a), b = leaf(shape.b), y = a * b;
    CHECK(y.shape() == shape.y);
    CHECK(y.to_vector() == for_each_element(shape.y, a, b, std::multiplies<>()));
    gradcheck(mul, {a, b});
  }
}

TEST_CASE("A tensor is multiplied by itself and by numbers") {
  gradcheck([](Tensor x) { return x * x; }, {leaf({2, 3})});
  gradcheck([](Tensor x) { return x * x.view({3, 2, 1}); }, {leaf({3, 1, 2})});
  gradcheck([](Tensor x) { return 2 * x * -0.5; }, {leaf({2, 3})});
  CHECK((2 * Tensor::of({1, 2}) * 0.5).to_vector() == Values{1, 2});
}

TEST_CASE("Infinities and NaNs go through a product and its gradient as IEEE 754 says") {
  const Tensor a = Tensor::of({infinity, infinity, NAN, 0}).requires_grad_();
  const Tensor b = Tensor::of({2, 0, 1, infinity}).requires_grad_(), y = a * b;
  y.backward(Tensor::ones({4}));
  CHECK(text(y.detach()) == "inf nan nan nan");
  CHECK(text(a.grad()) == "2 0 1 inf");
  CHECK(text(b.grad()) == "inf inf nan 0");
}

TEST_CASE("Shapes that do not broadcast are not multiplied") {
  CHECK(message<ShapeError>([] {
          Tensor::ones({2, 3}) * Tensor::ones({2});
        }) == "mul: [2, 3] and [2] do not broadcast, 3 != 2");
}

TEST_CASE("mul_ in place has mul's values and gradients") {
  for (const Shape& right : {Shape{}, Shape{3}, Shape{2, 1}, Shape{2, 3}}) {
    const Tensor a = leaf({2, 3}), b = leaf(right), y = a.clone();
    CHECK(y.mul_(b).is(y));
    CHECK(y.to_vector() == (a * b).to_vector());
    gradcheck([](Tensor a, Tensor b) { return (a + 2).mul_(b) * a; }, {a, b});
  }
  gradcheck([](Tensor x) { return x.clone().mul_(x); }, {leaf({2, 3})});
  gradcheck([](Tensor x) { return x.clone().mul_(1.5); }, {leaf({2, 3})});
}

TEST_CASE("A tensor is multiplied by itself in place") {
  const Tensor x = Tensor::of({2, 3});
  CHECK(x.mul_(x).to_vector() == Values{4, 9});
  const auto squared = [](Tensor x) {
    const Tensor y = x + 3;
    return y.mul_(y);
  };
  gradcheck(squared, {leaf({2, 3})});
  const auto twice = [&](Tensor x) { return squared(squared(x)); };
  gradcheck(twice, {leaf({2, 3})});
}

TEST_CASE("A constant that something with a gradient multiplies gets on the tape") {
  const auto product = [](Tensor x) { return Tensor::full({2, 3}, 4).mul_(x); };
  gradcheck(product, {leaf({3})});
}

TEST_CASE("a *= b is mul_") {
  Tensor a = Tensor::of({1, 2});
  const Tensor same = a;
  a *= 3;
  CHECK(same.to_vector() == Values{3, 6});
}

TEST_CASE("mul_ refuses what does not fit into the tensor, and leaves it as it was") {
  const Tensor a = Tensor::of({1, 2, 3}), leaf = Tensor::of({1, 2, 3}).requires_grad_();
  CHECK(message<ShapeError>([&] {
          a.mul_(Tensor::ones({2, 3}));
        }) == "mul_: the result of shape [2, 3] does not fit in place into [3]");
  CHECK(message<ShapeError>([&] { a.mul_(Tensor::ones({2})); }) ==
        "mul_: [3] and [2] do not broadcast, 3 != 2");
  CHECK(message<TapeError>([&] { leaf.mul_(2); }) ==
        "mul_: [3] is a leaf that requires a gradient and may be changed in place only under "
        "NoGrad");
  CHECK(a.to_vector() == Values{1, 2, 3});
  CHECK(leaf.to_vector() == Values{1, 2, 3});
}
