#include "core/tape/node.hpp"
#include "core/tape/record.hpp"
#include "tests/support/parameter.hpp"
#include "tests/support/test.hpp"

namespace {

// Y = X, whose gradient is a given one.
struct GivenBackward final : Node {
  static constexpr Formula formula{"given", "Y = X", "dX = a given one"};
  explicit GivenBackward(Tensor given) : Node(formula), given(std::move(given)) {}
  void backward(Tensor) override {
    if (given.defined()) x.add_grad(given);
  }
  Input x{this};
  Tensor given;
};

Tensor with_gradient(Arg x, const Tensor& given) {
  const Tensor* const operands[] = {&x.tensor};
  return on_tape(x.tensor.copied(), record<GivenBackward>(operands, x.loc, given));
}

}

TEST_CASE("A gradient must have its input's shape, or one that this broadcasts to") {
  const auto grad = [](const Shape& shape, const Shape& given) {
    const Tensor x = Tensor::ones(shape).requires_grad_();
    sum(with_gradient(x, Tensor::ones(given))).backward();
    return x.grad().to_vector();
  };
  CHECK(grad({1, 2}, {1, 2}) == Values{1, 1});
  CHECK(grad({1, 2}, {3, 2}) == Values{3, 3});
  CHECK(grad({2}, {3, 2}) == Values{3, 3});
  CHECK(grad({1, 2}, {3, 1, 2}) == Values{3, 3});
  const auto refusal = [&](Shape x, Shape g) { return message<ShapeError>([&] { grad(x, g); }); };
  CHECK(refusal({3, 2}, {2}) == "add_grad: [2] is no gradient of [3, 2], which does not broadcast to it");
  CHECK(refusal({3, 2}, {2, 3}) == "add_grad: [2, 3] is no gradient of [3, 2], which does not broadcast to it");
  CHECK_THROWS_AS(grad({3, 2}, {1, 2}), ShapeError);
  CHECK_THROWS_AS(grad({3, 2}, {4, 3, 1}), ShapeError);
  CHECK_THROWS_AS(grad({2}, {3}), ShapeError);
  CHECK_THROWS_AS(grad({2}, {}), ShapeError);
}

TEST_CASE("An op that no gradient has reached is freed after the pass too") {
  const Tensor x = parameter({2}), h = x * x, y = with_gradient(h, Tensor());
  y.backward();
  CHECK(h.node()->done);
  CHECK_FALSE(x.grad().defined());
  CHECK_THROWS_AS(h.backward(), TapeError);
}

TEST_CASE("Only a single number needs no gradient to start from") {
  const Tensor x = parameter({1, 2});
  const Tensor y = x * 2;
  CHECK_ERROR(
      ShapeError, y.backward(), "backward: [2] is not a single number, so a gradient of that shape must be given");
  CHECK_ERROR(ShapeError, y.backward(Tensor::of({1, 2, 3})), "backward: the gradient is [3] and the tensor [2]");
  CHECK_FALSE(x.grad().defined());
  y.backward(Tensor::of({1, 10}));
  CHECK(x.grad().to_vector() == Values{2, 20});
}

TEST_CASE("A second backward pass without retain_graph says what to do") {
  const Tensor x = parameter({2});
  const Tensor h = x * x;
  const int line = __LINE__ - 1;
  sum(h).backward();
  const Tensor other = h * 3;
  CHECK_ERROR(TapeError, other.backward(),
      "backward: mul at backward_test.cpp:" + std::to_string(line) +
          " has run and what it saved is freed; to run backward twice, retain the "
          "graph the first time (retain_graph)");
  CHECK(x.grad().item() == 4);
}

TEST_CASE("Saved tensors are freed during the pass, unless the tape is retained") {
  const Tensor x = Tensor::ones({64}).requires_grad_();
  const auto loss = [&] { return sum(x.clamp(0) * x.clamp(0)); };
  const int64_t before = live_storages();
  const Tensor first = loss(), second = loss();
  const int64_t recorded = live_storages();
  CHECK(recorded == before + 2 * (1 + 2));  // the sum, and the two clamps that mul saved
  first.backward({}, true);
  CHECK(live_storages() == recorded + 1);  // x.grad
  second.backward();
  CHECK(live_storages() == recorded + 1 - 2);
}
