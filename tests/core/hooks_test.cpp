#include <random>

#include "tests/support/parameter.hpp"
#include "tests/support/test.hpp"

TEST_CASE("A leaf's hook runs as soon as its gradient is complete, not after all ops") {
  const Tensor x = parameter({2}), w = parameter({5}), v = parameter({3});
  std::string order;
  const auto note = [&](const Tensor& tensor, char name) {
    tensor.register_hook([&order, name](const Tensor&) {
      order += name;
      return Tensor();
    });
  };
  const Tensor h = w * x, y = v * h, z = y * w, loss = z + v;
  note(x, 'x'), note(w, 'w'), note(v, 'v'), note(h, 'h'), note(y, 'y'), note(z, 'z');
  loss.backward();
  CHECK(order == "zyvhwx");  // z = y·w is not the last that uses w, nor z + v the last that uses v
}

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
  const Tensor x = parameter({1, 2}), w = parameter({5, 6}), h = x * 1;
  h.register_hook([&](const Tensor&) { return w; });
  h.backward(Tensor::of({3, 4}));
  CHECK(x.grad().to_vector() == Values{5, 6});
  CHECK_FALSE(x.grad().requires_grad());
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
    const Tensor x = parameter({2}), h = x * 3, &of = round % 2 ? x : h;
    std::vector<int> there, called;
    std::function<void()> change;
    const auto add = [&] {
      const auto me = std::make_shared<int>();
      *me = of.register_hook([&, me](const Tensor& g) {
        called.push_back(*me);
        change();
        return *me % 3 ? Tensor() : g * 2;
      });
      there.push_back(*me);
    };
    change = [&] {
      if (random() % 3 == 0) add();
      if (there.empty() || random() % 3) return;
      const auto gone = there.begin() + int64_t(random() % there.size());
      const int number = *gone;
      there.erase(gone);
      for (int times = 0; times < 2; ++times) of.remove_hook(number);  // the second time no other
    };
    for (int hooks = 0; hooks < 4; ++hooks) add();
    Scalar expected = 0;
    for (int pass = 0; pass < 5; ++pass) {
      const std::vector<int> before = there;
      called.clear();
      expected += 3 *
          std::exp2(Scalar(std::count_if(before.begin(), before.end(), [](int number) { return number % 3 == 0; })));
      h.backward({}, true);
      REQUIRE(called == before);
      REQUIRE(x.grad().item() == expected);
    }
  }
}
