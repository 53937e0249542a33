#include <functional>
#include <limits>

#include "core/check.hpp"
#include "core/node.hpp"
#include "core/record.hpp"
#include "core/walk.hpp"
#include "nn/dropout.hpp"
#include "ops/ops.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/message.hpp"

using namespace stepgrad;

namespace {

Tensor leaf(std::initializer_list<Scalar> values) {
  return Tensor::from(std::vector(values)).requires_grad_();
}

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

bool share(const Tensor& a, const Tensor& b) { return a.storage().get() == b.storage().get(); }

}  // namespace

TEST_CASE("A tensor that is used twice gets both gradients") {
  const Tensor x = leaf({3}), y = 3 * x;
  sum(2 * y + 5 * y).backward();
  CHECK(x.grad().item() == 21);
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
  CHECK(refusal({3, 2}, {2}) ==
        "add_grad: [2] is no gradient of [3, 2], which does not broadcast to it");
  CHECK(refusal({3, 2}, {2, 3}) ==
        "add_grad: [2, 3] is no gradient of [3, 2], which does not broadcast to it");
  CHECK_THROWS_AS(grad({3, 2}, {1, 2}), ShapeError);
  CHECK_THROWS_AS(grad({3, 2}, {4, 3, 1}), ShapeError);
  CHECK_THROWS_AS(grad({2}, {3}), ShapeError);
  CHECK_THROWS_AS(grad({2}, {}), ShapeError);
}

TEST_CASE("An op that no gradient has reached is done when the pass is over, too") {
  const Tensor x = leaf({2}), h = x * x, y = with_gradient(h, Tensor());
  y.backward();
  CHECK(h.node()->done);
  CHECK_FALSE(x.grad().defined());
  CHECK_THROWS_AS(h.backward(), TapeError);
}

TEST_CASE("The same tensor twice in one op gets both gradients") {
  const auto grad = [](std::function<Tensor(Tensor)> f) {
    const Tensor x = leaf({3});
    f(x).backward();
    return x.grad().item();
  };
  CHECK(grad([](Tensor x) { return x + x; }) == 2);
  CHECK(grad([](Tensor x) { return x - x; }) == 0);
  CHECK(grad([](Tensor x) { return x * x; }) == 6);
  CHECK(grad([](Tensor x) { return x / x; }) == 0);
  CHECK(grad([](Tensor x) { return matmul(x, x); }) == 6);
}

TEST_CASE("Doubling forty times visits each node once, and the gradient is exactly 2^40") {
  const Tensor x = leaf({1});
  Tensor h = x;
  for (int i = 0; i < 40; ++i) h = h + h;
  Walk walk(h, {}, false);
  int visits = 0;
  for (Node* node; (node = walk.next()); ++visits) node->backward(walk.gradient());
  CHECK(visits == 40 + 1);
  CHECK(x.grad().item() == std::exp2(Scalar(40)));
}

TEST_CASE("Whatever else is on the tape is not visited") {
  const Tensor x = leaf({1}), y = leaf({1}), used = x * 2, unused = y * 2, beside = x * 3;
  used.backward();
  CHECK(x.grad().item() == 2);
  CHECK_FALSE(y.grad().defined());
  unused.backward();
  beside.backward();
  CHECK(x.grad().item() == 5);
  CHECK(y.grad().item() == 2);
}

TEST_CASE("Only a single number needs no gradient to start from") {
  const Tensor x = leaf({1, 2});
  const Tensor y = x * 2;
  CHECK(message<ShapeError>([&] { y.backward(); }) ==
        "backward: [2] is not a single number, so a gradient of that shape must be given");
  CHECK(message<ShapeError>([&] {
          y.backward(Tensor::of({1, 2, 3}));
        }) == "backward: the gradient is [3] and the tensor [2]");
  CHECK_FALSE(x.grad().defined());
  y.backward(Tensor::of({1, 10}));
  CHECK(x.grad().to_vector() == Values{2, 20});
}

TEST_CASE("A tensor that requires no gradient has nothing to walk") {
  CHECK(message<TapeError>([] { Tensor::of({1}).backward(); }) ==
        "backward: the tensor does not require a gradient, so nothing was recorded");
}

TEST_CASE("backward() on a leaf adds to its gradient") {
  const Tensor x = leaf({1, 2});
  x.backward(Tensor::of({3, 4}));
  x.backward(Tensor::of({10, 10}));
  CHECK(x.grad().to_vector() == Values{13, 14});
}

// ---- Each gradient has its own memory
// ------------------------------------------------------------

TEST_CASE("A gradient that arrives at two places is not changed by the one when the other grows") {
  const Tensor a = leaf({1}), b = leaf({1});
  const Tensor s = a + b, t = s + a;
  t.backward();
  CHECK(a.grad().item() == 2);
  CHECK(b.grad().item() == 1);
}

TEST_CASE("The caller's gradient is left as it was, even when more is added to the leaf's") {
  const Tensor a = leaf({1, 2}), g = Tensor::of({5, 6});
  (a + 0).backward(g);
  a.backward(g);
  a.backward(g.reshape({2}));
  CHECK(g.to_vector() == Values{5, 6});
  CHECK(a.grad().to_vector() == Values{15, 18});
  CHECK_FALSE(share(a.grad(), g));
}

TEST_CASE("No gradient shares memory with another one, with its tensor, or with the caller's") {
  const std::vector<std::function<Tensor(Tensor, Tensor)>> ops{
      [](Tensor a, Tensor b) { return a + b; },
      [](Tensor a, Tensor b) { return a - b; },
      [](Tensor a, Tensor b) {
        return a + b.reshape({4}).view({2, 2});
      },
      [](Tensor a, Tensor b) { return a.clone() + b; },
      [](Tensor a, Tensor b) { return a.unsqueeze(0).squeeze(0) + b; },
      [](Tensor a, Tensor b) {
        return a.expand({2, 2}) + b.permute({0, 1});
      },
      [](Tensor a, Tensor b) {
        return a.repeat({1, 1}) + b.sum(Dims{});
      },
      [](Tensor a, Tensor b) { return nn::Dropout(Scalar(0.5)).eval()(a) + b.mean(Dims{}); },
      [](Tensor a, Tensor b) { return a.relu() + b.clamp(0); },
      [](Tensor a, Tensor b) { return a.masked_fill(b.lt(0), 0) + b; },
  };
  for (const auto& op : ops) {
    const Tensor a = Tensor::ones({2, 2}).requires_grad_(),
                 b = Tensor::ones({2, 2}).requires_grad_();
    const Tensor y = op(a, b);
    y.retain_grad();
    const Tensor g = Tensor::of({{1, 2}, {3, 4}});
    y.backward(g);
    const std::vector<Tensor> all{a, b, y, g, a.grad(), b.grad(), y.grad()};
    for (size_t i = 0; i < all.size(); ++i) {
      for (size_t j = 0; j < i; ++j) CHECK_FALSE(share(all[i], all[j]));
    }
    const Values before = b.grad().to_vector();
    a.grad().fill_(std::numeric_limits<Scalar>::quiet_NaN());  // nobody else sees the poison
    CHECK(b.grad().to_vector() == before);
    CHECK(y.grad().to_vector() == Values{1, 2, 3, 4});
    CHECK(g.to_vector() == Values{1, 2, 3, 4});
  }
}

TEST_CASE("A gradient that was itself recorded leaves no history on the leaf") {
  const Tensor a = leaf({2}), w = leaf({3});
  a.backward(w * 5);
  CHECK(a.grad().item() == 15);
  CHECK_FALSE(a.grad().requires_grad());
  a.grad().zero_();
}

// ---- Twice
// ---------------------------------------------------------------------------------------

TEST_CASE("A second backward pass adds the same again if the tape was retained") {
  const Tensor x = leaf({2, 3}), h = x * x, loss = sum(h * h);
  loss.backward({}, true);
  const Values once = x.grad().to_vector();
  CHECK(once == Values{32, 108});
  loss.backward({}, true);
  CHECK(x.grad().to_vector() == Values{64, 216});
  loss.backward();
  CHECK(x.grad().to_vector() == Values{96, 324});
  CHECK_THROWS_AS(loss.backward(), TapeError);
  CHECK(x.grad().to_vector() == Values{96, 324});
}

TEST_CASE("A second backward pass over a tape that was not retained says what to do") {
  const Tensor x = leaf({2});
  const Tensor h = x * x;
  const int line = __LINE__ - 1;
  sum(h).backward();
  const Tensor other = h * 3;
  CHECK(message<TapeError>([&] { other.backward(); }) ==
        "backward: mul at backward_test.cpp:" + std::to_string(line) +
            " has been walked and what it saved is freed; to walk a tape twice, pass retain_graph "
            "= true the first time");
  CHECK(x.grad().item() == 4);
}

TEST_CASE("What was saved is freed as the pass goes, unless the tape is retained") {
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

// ---- Adding up
// -----------------------------------------------------------------------------------

TEST_CASE("Micro-batches add up to the gradient of the whole batch") {
  const Tensor w = Tensor::of({{1, 2}, {3, 4}}).requires_grad_();
  const Tensor batch = Tensor::of({{1, 2}, {3, 4}, {5, 6}, {7, 8}});
  sum(matmul(batch, w)).backward();
  const Values whole = w.grad().to_vector();
  w.set_grad({});
  for (const Tensor& part : {Tensor::of({{1, 2}, {3, 4}}), Tensor::of({{5, 6}, {7, 8}})}) {
    sum(matmul(part, w)).backward();
  }
  CHECK(w.grad().to_vector() == whole);
}

TEST_CASE("No gradient and a gradient of zeros are two things") {
  const Tensor used = leaf({1}), unused = leaf({1});
  (used * 0).backward();
  CHECK(used.grad().item() == 0);
  CHECK_FALSE(unused.grad().defined());
}

TEST_CASE("A gradient can be set, replaced and removed") {
  const Tensor x = leaf({1, 2});
  x.set_grad(Tensor::of({3, 4}));
  x.backward(Tensor::of({1, 1}));
  CHECK(x.grad().to_vector() == Values{4, 5});
  CHECK(message<ShapeError>([&] { x.set_grad(Tensor::of({1})); }) ==
        "set_grad: a gradient of [1] for [2]");
  x.set_grad({});
  CHECK_FALSE(x.grad().defined());
  CHECK(message<TapeError>([] { Tensor::of({1}).set_grad(Tensor::of({1})); }) ==
        "set_grad: [1] does not require a gradient");
}

TEST_CASE("Only leaves keep their gradient, and others if they were asked to") {
  const Tensor x = leaf({2}), y = x * 3, z = y * y;
  y.retain_grad();
  z.backward();
  CHECK(y.grad().item() == 12);
  CHECK(x.grad().item() == 36);
  CHECK(
      message<TapeError>([&] { z.grad(); }) ==
      "grad: [1] is the output of mul and not a leaf; call retain_grad() on it before backward()");
  CHECK(message<TapeError>([] { Tensor::of({1}).retain_grad(); }) ==
        "retain_grad: [1] does not require a gradient");
  CHECK_FALSE(Tensor::of({1}).grad().defined());
}

TEST_CASE("retain_grad on a leaf changes nothing, and retained gradients add up as leaves' do") {
  const Tensor x = leaf({2}), y = x * 3, z = y * 4;
  x.retain_grad();
  y.retain_grad();
  z.backward({}, true);
  z.backward();
  CHECK(x.grad().item() == 24);
  CHECK(y.grad().item() == 8);
}

TEST_CASE("Nothing is recorded during a backward pass, and recording goes on after it") {
  const Tensor x = leaf({2}), y = x * x;
  y.register_hook([](const Tensor& g) {
    CHECK_FALSE(grad_enabled());
    return g * 2;
  });
  y.backward();
  CHECK(grad_enabled());
  CHECK(x.grad().item() == 8);
  CHECK_FALSE(x.grad().requires_grad());
}

TEST_CASE("detach stops the gradient where it stands") {
  const Tensor x = leaf({3}), y = x * x;
  (y.detach() * x).backward();
  CHECK(x.grad().item() == 9);
}

TEST_CASE("A retained gradient stays as it was when the formula writes over its own") {
  const Tensor x = Tensor::of({-1, 2}).requires_grad_();
  for (const auto& op : {std::function([](Tensor x) { return relu(x); }),
                         std::function([](Tensor x) { return clamp(x, 0); }),
                         std::function([](Tensor x) { return gelu(x); }),
                         std::function([](Tensor x) { return softmax(x); })}) {
    const Tensor y = op(x);
    y.retain_grad();
    y.backward(Tensor::of({3, 4}));
    CHECK(y.grad().to_vector() == std::vector<Scalar>{3, 4});
  }
}
