#include "tests/support/parameter.hpp"
#include "tests/support/test.hpp"

using namespace stepgrad;

TEST_CASE("A hook sees the whole gradient of its tensor, once a pass") {
  const Tensor x = parameter({2}), h = x * 3;
  Values seen;
  h.register_hook([&](const Tensor& g) {
    seen.push_back(g.item());
    return Tensor();
  });
  (h * 4 + h * 5).backward();
  CHECK(seen == Values{9});
  CHECK(x.grad().item() == 27);
}

TEST_CASE("A hook's result replaces the gradient, one hook after the other") {
  const Tensor x = parameter({2}), h = x * 3;
  h.register_hook([](const Tensor& g) { return g + 1; });
  h.register_hook([](const Tensor& g) { return g * 10; });
  h.retain_grad();
  h.backward();
  CHECK(h.grad().item() == 20);
  CHECK(x.grad().item() == 60);
}

TEST_CASE("A leaf's hook runs in every pass, on that pass's gradient") {
  const Tensor x = parameter({2});
  x.register_hook([](const Tensor& g) { return g * 10; });
  (x * 3).backward();
  (x * 4).backward();
  CHECK(x.grad().item() == 70);
}

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

TEST_CASE("A removed hook is not called, and its number removes no other") {
  const Tensor x = parameter({2});
  const int first = x.register_hook([](const Tensor& g) { return g * 10; });
  const int second = x.register_hook([](const Tensor& g) { return g + 1; });
  x.remove_hook(first);
  x.remove_hook(first);
  (x * 3).backward();
  CHECK(x.grad().item() == 4);
  const int third = x.register_hook([](const Tensor& g) { return g * 2; });
  CHECK(third != second);
  x.remove_hook(second);
  x.remove_hook(third);
  (x * 3).backward();
  CHECK(x.grad().item() == 7);
  const int fourth = x.register_hook([](const Tensor& g) { return g * 100; });  // the only one
  for (const int gone : {first, second, third}) x.remove_hook(gone);
  (x * 3).backward();
  CHECK(x.grad().item() == 307);
  x.remove_hook(fourth);
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

TEST_CASE("Only a tensor that requires a gradient takes a hook") {
  const auto hook = [](const Tensor& g) { return g; };
  CHECK_ERROR(TapeError, Tensor::of({1}).register_hook(hook),
              "register_hook: [1] does not require a gradient");
  CHECK_NOTHROW(parameter({1}).remove_hook(0));  // there is none
  CHECK_ERROR(TapeError, Tensor::of({1}).remove_hook(0),
              "remove_hook: [1] does not require a gradient");
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

TEST_CASE("A hook may give whole numbers, and the gradient is one of floating numbers") {
  const Tensor x = parameter({1, -2}), h = x * 1;
  for (const Tensor& of : {x, h}) of.register_hook([](const Tensor& g) { return g > 0; });
  h.backward(Tensor::of({3., -4.}));
  CHECK(x.grad().to_vector() == Values{1, 0});
  CHECK(x.grad().kind() == Kind::floating);
}

TEST_CASE(
    "A hook that overwrites a saved tensor, its own node's or a later one's, stops the pass") {
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

TEST_CASE("A hook may remove itself and others, and add some, which counts from the next pass on") {
  const Tensor x = parameter({2}), h = x * 3;
  std::string order;
  int first = 0, last = 0;
  const auto note = [&](char name) {
    return [&order, name](const Tensor&) {
      order += name;
      return Tensor();
    };
  };
  first = h.register_hook([&](const Tensor&) {
    order += 'a';
    h.remove_hook(first), h.remove_hook(last);
    for (int i = 0; i < 10; ++i) h.register_hook(note('d'));
    return Tensor();
  });
  h.register_hook(note('b'));
  last = h.register_hook(note('c'));
  h.backward({}, true);
  CHECK(order == "abc");
  h.backward();
  CHECK(order == "abcbdddddddddd");
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
