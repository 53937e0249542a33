#include "tests/support/test.hpp"

using namespace stepgrad;

const OpExample example_of_masked_fill(
    "masked_fill", [](Tensor x, Tensor mask) { return masked_fill(x, mask, 9); },
    "a.masked_fill(b != 0, 9)",
    [] {
      return Tensors{leaf({2, 3}), Tensor::of({0, 1, 0})};
    });

TEST_CASE("A mask that broadcasts to the tensor fills it, and stops the gradient there") {
  for (const Broadcast& shape : broadcasting_pairs()) {
    if (!(shape.y == shape.a)) continue;
    const Tensor x = leaf(shape.a), mask = leaf(shape.b).detach() > 0;
    const auto plain = [](Scalar x, Scalar mask) { return mask ? 9 : x; };
    CHECK(masked_fill(x, mask, 9).to_vector() == for_each_element(shape.y, x, mask, plain));
    gradcheck([](Tensor x, Tensor m) { return masked_fill(std::move(x), m, 9); }, {x, mask});
  }
}

TEST_CASE("Whatever is not zero in a mask fills, a NaN too") {
  const Tensor x = Tensor::of({1, 2, 3, 4, 5}), mask = Tensor::of({0, Scalar(-0.0), 2, -1, NAN});
  CHECK(x.masked_fill(mask, 0).to_vector() == Values{1, 2, 0, 0, 0});
}

TEST_CASE("A filled element has no gradient, whatever it was and whatever fills it") {
  for (Scalar value : {Scalar(5), infinity, Scalar(NAN)}) {
    const Tensor x = parameter({NAN, infinity, -infinity, 1, 2});
    x.masked_fill(Tensor::of({1, 1, 0, 1, 0}), value).backward(Tensor::full({5}, 2));
    CHECK(x.grad().to_vector() == Values{0, 0, 2, 0, 2});
  }
}

TEST_CASE("masked_fill_ in place has masked_fill's values and gradients") {
  const Tensor x = leaf({2, 3}), mask = Tensor::of({0, 1, 0}), y = x.clone();
  CHECK(y.masked_fill_(mask, 9).is(y));
  CHECK(y.to_vector() == x.masked_fill(mask, 9).to_vector());
  gradcheck([](Tensor x, Tensor m) { return (x * 2).masked_fill_(m, 9) * x; }, {x, mask});
  gradcheck([](Tensor x) { return (x * 2).masked_fill_(x > 0, 9); }, {leaf({3, 17}, {0})});
}

TEST_CASE("A tensor can be its own mask") {
  const Tensor x = Tensor::of({0, 1, 2});
  CHECK(masked_fill(x, x, 7).to_vector() == Values{0, 7, 7});
  CHECK(x.clone().masked_fill_(x, 7).to_vector() == Values{0, 7, 7});
  gradcheck([](Tensor x) { return masked_fill(x, x, 7); }, {leaf({4})});
  const auto in_place = [](Tensor x) {
    const Tensor y = x * Tensor::of({0, 1, 0, 1});
    return y.masked_fill_(y, 7);
  };
  gradcheck(in_place, {leaf({4})});
}

TEST_CASE("A mask that does not broadcast to the tensor fills nothing") {
  const Tensor x = Tensor::ones({3});
  CHECK_ERROR(ShapeError, masked_fill(x, Tensor::ones({2, 3}), 0),
              "masked_fill: a mask of [2, 3] does not broadcast to [3]");
  CHECK_ERROR(ShapeError, x.masked_fill_(Tensor::ones({2, 3}), 0),
              "masked_fill_: a mask of [2, 3] does not broadcast to [3]");
  CHECK_ERROR(ShapeError, masked_fill(x, Tensor::ones({2}), 0),
              "masked_fill: [3] and [2] do not broadcast, 3 != 2");
  CHECK(x.to_vector() == Values{1, 1, 1});
  CHECK(x.storage()->version() == 0);
}

TEST_CASE("A mask has no gradient, even if it requires one") {
  const Tensor x = Tensor::ones({2}), mask = parameter({0., 1.});
  CHECK_FALSE(masked_fill(x, mask, 5).requires_grad());
  const Tensor w = leaf({2});
  w.masked_fill(mask, 5).backward(Tensor::ones({2}));
  CHECK(w.grad().to_vector() == Values{1, 0});
  CHECK_FALSE(mask.grad().defined());
}
