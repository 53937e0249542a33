#include "ops/sub.hpp"

#include "ops/div.hpp"
#include "ops/mul.hpp"
#include "ops/neg.hpp"
#include "ops/sum.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/gradcheck.hpp"
#include "tests/support/shapes.hpp"

using namespace stepgrad;

const OpExample example("sub", sub, [] { return Tensors{leaf({2, 3}), leaf({3})}; });

TEST_CASE("Differences broadcast, and their gradients are summed back") {
  for (const Broadcast& shape : broadcasting_pairs()) {
    const Tensor a = leaf(shape.a), b = leaf(shape.b), y = a - b;
    CHECK(y.shape() == shape.y);
    CHECK(y.to_vector() == for_each_element(shape.y, a, b, std::minus<>()));
    gradcheck(sub, {a, b});
  }
}

TEST_CASE("A tensor is subtracted from itself, from numbers, and they from it") {
  gradcheck([](Tensor x) { return x - x; }, {leaf({2, 3})});
  gradcheck([](Tensor x) { return 2 - x - 3.5; }, {leaf({2, 3})});
  CHECK((1 - Tensor::of({1, 2}) - 2.5).to_vector() == Values{-2.5, -3.5});
}

TEST_CASE("A difference that takes over its right operand is the same") {
  const Tensor a = Tensor::of({1, 2, 3});
  CHECK((a - Tensor::of({5, 5, 5})).to_vector() == Values{-4, -3, -2});
  CHECK((Tensor::of({5, 5, 5}) - a).to_vector() == Values{4, 3, 2});
}

TEST_CASE("Infinities and NaNs go through a difference as IEEE 754 says") {
  const Tensor x = Tensor::of({infinity, -infinity, NAN, infinity});
  CHECK(text(x - Tensor::of({1, 1, 1, infinity})) == "inf -inf nan nan");
}

TEST_CASE("Shapes that do not broadcast are not subtracted") {
  CHECK(message<ShapeError>([] {
          Tensor::ones({2, 3}) - Tensor::ones({3, 2});
        }) == "sub: [2, 3] and [3, 2] do not broadcast, 3 != 2");
}

TEST_CASE("In place, -= and /= are recorded like the others") {
  const Tensor w = leaf({2}), k = Tensor::of({2, 4}).requires_grad_();
  Tensor x = w * 1;
  x -= k;
  x /= k;
  CHECK_THAT(x.to_vector(), near(((w - k) / k).to_vector()));
  sum(x).backward();
  CHECK_THAT(w.grad().to_vector(), near({0.5, 0.25}));
  CHECK_THAT(k.grad().to_vector(), near((-w.detach() / (k * k).detach()).to_vector()));
  Tensor y = w * 1;
  const Tensor same = y;
  y /= same;
  sum(y).backward();
  CHECK_THAT(w.grad().to_vector(), near({0.5, 0.25}));
}
