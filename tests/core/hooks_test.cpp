#include <random>

#include "tests/support/parameter.hpp"
#include "tests/support/test.hpp"

TEST_CASE("A leaf that is frozen after its use gets no gradient, and its hook is not called") {
  const Tensor x = parameter({2}), w = parameter({3}), y = exp(x) * w * x;
  int called = 0;
  x.register_hook([&](const Tensor&) { return ++called, Tensor(); });
  x.requires_grad_(false);
  y.backward({}, true);
  CHECK(w.grad().item() == Approx(2 * std::exp(2.)));
  CHECK_FALSE(x.requires_grad_().grad().defined());
  CHECK(called == 0);
  (x * 5).backward();
  CHECK(x.grad().item() == 5);
  CHECK(called == 1);
  y.backward();  // recorded before, and again with an edge
  CHECK(x.grad().item() == Approx(5 + 3 * std::exp(2.) * (2 + 1)));
}

TEST_CASE("A hook that returns another shape is refused") {
  const Tensor x = parameter({2, 3}), h = x * 3;
  h.register_hook([](const Tensor&) { return Tensor::of({1, 2, 3}); });
  CHECK_ERROR(ShapeError, sum(h).backward(), "hook of mul: returned [3] for a gradient of [2]");
  CHECK_FALSE(x.grad().defined());
}

TEST_CASE("The tensor that a hook returns is not modified, even if it is a parameter") {
  const Tensor x = parameter({1, 2}), w = parameter({5, 6}), h = x * 1, whole = Tensor::of({3, 4});
  h.register_hook([&](const Tensor&) { return w; });
  h.backward(whole);
  CHECK(whole.kind() == Kind::integer);
  CHECK(x.grad().to_vector() == Values{5, 6});
  x.grad().zero_();
  CHECK(w.to_vector() == Values{5, 6});
}

TEST_CASE("A hook that overwrites a saved tensor, its own node's or a later one's, stops the pass") {
  for (const bool later : {false, true}) {
    const Tensor a = parameter({2}).set_name("a"), b = Tensor::of({3}).set_name("b");
    const Tensor product = a * b, y = later ? product + 1 : product;
    y.register_hook([&](const Tensor&) { return b.fill_(7), Tensor(); });
    CHECK(message<TapeError>([&] { y.backward(); })
              .ends_with("saved B 'b' [1] at version 0, and an in-place op has changed it to "
                         "version 1"));
    CHECK_FALSE(a.grad().defined());
  }
}

TEST_CASE("A gradient that is given, or from a hook, loses its history") {
  const Tensor x = parameter({2}), w = parameter({5}), y = x * 1;
  bool with_history = true;
  Tensor recorded = w * 3;
  y.register_hook([&](const Tensor& g) {
    with_history = g.requires_grad();
    return std::move(recorded);
  });
  y.retain_grad();
  y.backward(w * 2);
  CHECK_FALSE(with_history);
  CHECK_FALSE(y.grad().requires_grad());
  CHECK(y.grad().item() == 15);
  x.register_hook([given = w * 4](const Tensor&) mutable { return std::move(given); });
  x.backward(w);
  CHECK_FALSE(x.grad().requires_grad());
  const Tensor h = w * w;
  h.register_hook([&](const Tensor& g) { return g * w; });  // which is recorded, if all is
  CHECK(grad({grad({h * 3}, {w}, {.create_graph = true})[0]}, {w})[0].item() == 12 * 5);
}

TEST_CASE("A gradient that a hook has kept does not change") {
  for (const OpExample& example : OpExample::all()) {
    INFO(example.op);
    const Tensor y = example.f(example.inputs());
    if (!y.requires_grad()) continue;
    const Tensor given = Tensor::randn(y.shape());
    Tensor kept;
    y.register_hook([&](const Tensor& g) {
      kept = g;
      return Tensor();
    });
    y.backward(given);
    for (const Node* node : reachable(y))
      if (node->grad.defined()) node->grad.fill_(NAN);
    CHECK(kept.to_vector() == given.to_vector());
    CHECK_FALSE(kept.overlaps(given));  // a hook may write over its own
  }
}

TEST_CASE("Whatever hooks add and remove, a pass calls those that there were when its gradient came") {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    const Tensor x = parameter({2}), tensors[] = {x * 3, x};
    std::vector<int> there[2], expected[2], called[2];  // of each tensor
    x.register_hook([&](const Tensor&) { return expected[1] = there[1], Tensor(); });
    std::function<void()> change;
    const auto add = [&] {
      const size_t of = random() % 2;
      const auto me = std::make_shared<int>();
      *me = tensors[of].register_hook([&, of, me](const Tensor& g) {
        called[of].push_back(*me);
        change();
        return *me % 3 ? Tensor() : g * 2;
      });
      there[of].push_back(*me);
    };
    change = [&] {
      if (random() % 3 == 0) add();
      const size_t of = random() % 2;
      if (there[of].empty() || random() % 3) return;
      const auto gone = there[of].begin() + int64_t(random() % there[of].size());
      const int number = *gone;
      there[of].erase(gone);
      for (int times = 0; times < 2; ++times) tensors[of].remove_hook(number);  // the second time no other
    };
    for (int hooks = 0; hooks < 6; ++hooks) add();
    Scalar sum = 0;
    for (int pass = 0; pass < 5; ++pass) {
      expected[0] = there[0];
      for (auto& of : called) of.clear();
      tensors[0].backward({}, true);
      Scalar each = 3;
      for (const auto& of : expected)
        for (const int number : of) each *= number % 3 ? 1 : 2;
      for (const size_t of : {0, 1}) REQUIRE(called[of] == expected[of]);
      REQUIRE(x.grad().item() == (sum += each));
    }
  }
}
