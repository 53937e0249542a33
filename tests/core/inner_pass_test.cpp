// Passes within a hook of another one.
#include "core/watch/stepper.hpp"
#include "tests/support/test.hpp"

TEST_CASE("A stepper that goes on in a hook leaves the pass around it observed") {
  const KeepLedger on(true);
  const Tensor x = parameter({2}), w = parameter({3}), other = w * w, h = x * 5;
  Stepper steps(other);
  h.register_hook([&](const Tensor&) {
    steps.next();
    return Tensor();
  });
  h.backward();
  CHECK_THAT(explain(x), ContainsSubstring("mul #"));
  while (steps.next()) continue;
  CHECK(w.grad().item() == 6);
}

TEST_CASE("A hook's own pass leaves the outer pass's gradients alone") {
  Tensor w = parameter({2});
  Values inner;
  const Tensor a = w * 3, b = a * w;
  const int number = a.register_hook([&](const Tensor&) {  // of 3w² + 7w, 3w + 7 have arrived at w
    const EnableGrad grad_on;
    inner = grad({sum(w * w * 5)}, {w}).front().to_vector();  // 10w
    return Tensor();
  });
  sum(b + w * 7).backward({}, true);
  CHECK(inner == Values{20});
  CHECK(w.grad().to_vector() == Values{19});  // 6w + 7

  a.remove_hook(number);
  a.register_hook([&](const Tensor&) {
    const EnableGrad grad_on;
    sum(w * w * 5).backward();
    return Tensor();
  });
  w.set_grad({});
  sum(b + w * 7).backward();
  CHECK(w.grad().to_vector() == Values{39});  // both
}

TEST_CASE("A node visited by a hook's own pass is not visited in the outer pass") {
  const Tensor w = parameter({2}), a = w * 3, b = a * 2;
  bool visited = true;
  b.register_hook([&](const Tensor&) {
    const EnableGrad grad_on;
    grad({sum(a * 5)}, {w}, {.retain_graph = true});
    visited = a.node()->pass.visited;
    return Tensor();
  });
  sum(b).backward();
  CHECK_FALSE(visited);
  CHECK(w.grad().to_vector() == Values{6});
}

TEST_CASE("grad runs and frees only what leads to its inputs") {
  const Tensor x = parameter({2}), w = parameter({3}), a = w * w, h = x * x, k = h * a, l = h * k;
  int ran = 0;
  for (const Tensor& t : {x, a, k})
    t.register_hook([&](const Tensor&) {
      ++ran;
      return Tensor();
    });
  k.retain_grad();
  CHECK(grad({l, k}, {h})[0].item() == 2 * 4 * 9 + 9);  // of h²a + ha
  CHECK(ran == 1);
  CHECK(k.grad().item() == 5);
  h.backward();
  CHECK(x.grad().item() == 4);
  CHECK_THROWS_AS(l.backward(), TapeError);
  CHECK_FALSE(grad({a}, {x}, {.allow_unused = true})[0].defined());
  h.register_hook([](const Tensor& g) { return g * 5; });  // x * x is freed, and not asked
  CHECK(grad({h * 3}, {h})[0].item() == 15);
}

TEST_CASE("A hook that runs backward over the running tape gets an error") {
  const Tensor x = parameter({2}), shared = x * x, h = shared * 3, beside = shared * 5;
  h.register_hook([&](const Tensor&) {
    beside.backward();
    return Tensor();
  });
  CHECK_THROWS_AS(h.backward(), TapeError);
}
