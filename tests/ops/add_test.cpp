#include "ops/add.hpp"

#include "core/tape/modes.hpp"
#include "ops/mul.hpp"
#include "ops/reshape.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/gradcheck.hpp"
#include "tests/support/shapes.hpp"

using namespace stepgrad;

const OpExample example("add", add, [] {
  return Tensors{leaf({2, 3}, {-1, 0, 1}), leaf({3}, {0})};
});

TEST_CASE("Sums broadcast, and their gradients are summed back") {
  for (const Broadcast& shape : broadcasting_pairs()) {
    const Tensor a = leaf(shape.a), b = leaf(shape.b), y = a + b;
    CHECK(y.shape() == shape.y);
    CHECK(y.to_vector() == for_each_element(shape.y, a, b, std::plus<>()));
    gradcheck(add, {a, b});
  }
}

TEST_CASE("A tensor is added to itself and to numbers") {
  gradcheck([](Tensor x) { return x + x; }, {leaf({2, 3})});
  gradcheck([](Tensor x) { return 2 + x + 3.5; }, {leaf({2, 3})});
  CHECK((1 + Tensor::of({1, 2}) + 2.5).to_vector() == Values{4.5, 5.5});
}

TEST_CASE("A sum takes over an operand that nobody else can see, and no other") {
  const Tensor a = Tensor::ones({2, 3}), b = Tensor::ones({3});
  Tensor dying = a.clone();
  const Scalar* memory = dying.data();
  CHECK((std::move(dying) + b).data() == memory);
  dying = a.clone(), memory = dying.data();
  CHECK((b + std::move(dying)).data() == memory);
  CHECK((a + 1).data() != a.data());
  CHECK((a + a.view({2, 3})).data() != a.data());
  CHECK(a.to_vector() == Values{1, 1, 1, 1, 1, 1});
  CHECK(b.to_vector() == Values{1, 1, 1});
}

TEST_CASE("Infinities and NaNs go through a sum as IEEE 754 says") {
  const Tensor x = Tensor::of({infinity, -infinity, NAN, infinity});
  CHECK(text(x + Tensor::of({1, 1, 1, -infinity})) == "inf -inf nan nan");
}

TEST_CASE("Shapes that do not broadcast are not added") {
  const Tensor a = leaf({2, 3}), b = leaf({4, 3});
  CHECK(message<ShapeError>([&] { a + b; }) == "add: [2, 3] and [4, 3] do not broadcast, 2 != 4");
  CHECK(message<ShapeError>([&] { b + a; }) == "add: [4, 3] and [2, 3] do not broadcast, 4 != 2");
  CHECK(message<ShapeError>([&] {
          Tensor::zeros({0}) + Tensor::of({1, 2});
        }) == "add: [0] and [2] do not broadcast, 0 != 2");
}

TEST_CASE("add_ in place has add's values and gradients") {
  for (const Shape& right : {Shape{}, Shape{3}, Shape{2, 1}, Shape{2, 3}}) {
    const Tensor a = leaf({2, 3}), b = leaf(right), y = a.clone();
    CHECK(y.add_(b).is(y));
    CHECK(y.to_vector() == (a + b).to_vector());
    gradcheck([](Tensor a, Tensor b) { return (a * 2).add_(b) * a; }, {a, b});
  }
  gradcheck([](Tensor x) { return x.clone().add_(x); }, {leaf({2, 3})});
  gradcheck([](Tensor x) { return x.clone().add_(1.5); }, {leaf({2, 3})});
}

TEST_CASE("A tensor is added to itself in place") {
  const Tensor x = Tensor::of({1, 2}), y = x;
  CHECK(x.add_(x).is(y));
  CHECK(y.to_vector() == Values{2, 4});
  const auto doubled = [](Tensor x) {
    const Tensor y = x * 3;
    return y.add_(y);
  };
  gradcheck(doubled, {leaf({2, 3})});
}

TEST_CASE("A constant that something with a gradient is added to gets on the tape") {
  const auto sum = [](Tensor x) { return Tensor::ones({2, 3}).add_(x); };
  gradcheck(sum, {leaf({3})});
}

TEST_CASE("a += b is add_") {
  Tensor a = Tensor::of({1, 2});
  const Tensor same = a;
  a += 3;
  CHECK(same.to_vector() == Values{4, 5});
}

TEST_CASE("add_ refuses what does not fit into the tensor, and leaves it as it was") {
  const Tensor a = Tensor::of({1, 2, 3}), leaf = Tensor::of({1, 2, 3}).requires_grad_();
  CHECK(message<ShapeError>([&] {
          a.add_(Tensor::ones({2, 3}));
        }) == "add_: the result of shape [2, 3] does not fit in place into [3]");
  CHECK(message<ShapeError>([&] { a.add_(Tensor::ones({2})); }) ==
        "add_: [3] and [2] do not broadcast, 3 != 2");
  CHECK(message<TapeError>([&] { leaf.add_(1); }) ==
        "add_: [3] is a leaf that requires a gradient and may be changed in place only under "
        "NoGrad");
  const Tensor y = leaf * 2, view = y.view({3, 1});
  CHECK(message<TapeError>([&] { y.add_(1); }) ==
        "add_: [3] shares its data with another tensor, whose history would be wrong: "
        "clone() it first");
  for (const Tensor& x : {a, leaf}) {
    CHECK(x.to_vector() == Values{1, 2, 3});
    CHECK(x.storage()->version == 0);
  }
  CHECK(y.to_vector() == Values{2, 4, 6});
  const NoGrad no_grad;
  CHECK(leaf.add_(1).to_vector() == Values{2, 3, 4});
}
