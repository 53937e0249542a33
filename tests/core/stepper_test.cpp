#include "core/watch/stepper.hpp"

#include <random>

#include "core/tape/record.hpp"
#include "tests/support/test.hpp"

TEST_CASE("The stepper runs one gradient at a time") {
  const Tensor x = parameter({3});
  const Tensor loss = sum(x * x);
  Stepper steps(loss);
  CHECK(steps.next()->op() == std::string("sum"));
  CHECK(tape(loss).find("=>  #1") != std::string::npos);
  CHECK(tape(loss).find("ok  #2") != std::string::npos);
  CHECK_FALSE(x.grad().defined());
  CHECK(steps.next()->op() == std::string("mul"));
  CHECK(steps.next()->op() == std::string("leaf"));
  CHECK(steps.next() == nullptr);
  CHECK(x.grad().item() == 6);
}

TEST_CASE("The caller may write over the gradient that it gave") {
  const Tensor x = parameter({3, 4});
  const Tensor given = Tensor::of({1, 2});
  Stepper steps(x * x, given);
  given.zero_();
  while (steps.next()) continue;
  CHECK(x.grad().to_vector() == Values{6, 16});
}

TEST_CASE("A gradient that is set after going back is added to") {
  const Tensor x = parameter({3});
  const Tensor loss = sum(x * x);
  Stepper steps(loss);
  while (steps.next()) continue;
  CHECK(steps.back()->is_leaf());
  x.set_grad(Tensor::of({10}));
  CHECK(steps.next()->is_leaf());
  CHECK(x.grad().item() == 16);  // 10 + 2·3
}

TEST_CASE("run_until runs through the next gradient of an op") {
  const Tensor w = parameter({{1, 2}, {3, 4}});
  const Tensor loss = sum(matmul(matmul(w, w) + 1, w));
  Stepper steps(loss);
  CHECK(steps.run_until("matmul")->number == 3);
  CHECK(steps.run_until("matmul")->number == 1);
  CHECK(steps.run_until("matmul") == nullptr);
}

TEST_CASE("A stepper that is left in the middle forgets gradients on their way") {
  const Tensor x = parameter({2});
  const Tensor loss = sum(x * x);
  {
    Stepper steps(loss);
    steps.next();
  }
  CHECK_FALSE(x.grad().defined());
  loss.backward();
  CHECK(x.grad().item() == 4);
}

TEST_CASE("Two steppers go on and back by turns, each over its own tape") {
  const Tensor x = parameter({2}), w = parameter({5});
  const Tensor of_x = x * x, of_w = w * w * w;
  Stepper one(of_x), other(of_w);
  CHECK(one.next()->op() == std::string("mul"));
  CHECK(other.next()->op() == std::string("mul"));
  CHECK(one.next()->op() == std::string("leaf"));
  CHECK(x.grad().item() == 4);
  const Tensor v = parameter({7});
  sum(v * v).backward();  // and another pass between two steps
  CHECK(v.grad().item() == 14);
  CHECK(other.next()->op() == std::string("mul"));
  CHECK(one.back()->op() == std::string("leaf"));
  while (one.next()) continue;
  while (other.next()) continue;
  CHECK(x.grad().item() == 4);
  CHECK(w.grad().item() == 75);
}

namespace {

// Y = B; A gets no gradient.
struct SecondBackward final : Node {
  static constexpr Formula formula{"second", "Y = B", "dB = dY"};
  SecondBackward() : Node(formula) {}
  void backward(Tensor dY) override { b.add_grad(std::move(dY)); }
  Input a{this}, b{this};
};

}

TEST_CASE("Going back skips constants, and ops that no gradient has reached") {
  const KeepLedger on(true);
  const Tensor x = parameter({2}), a = x * Tensor::of({3}), b = exp(a);
  const Tensor* const operands[] = {&b, &a};
  const Tensor y = on_tape(Tensor::of({6}), record<SecondBackward>(operands, Loc{}));
  Stepper steps(y);
  std::vector<std::string> ran, undone;
  while (const Node* node = steps.next()) ran.push_back(node->op());
  while (const Node* node = steps.back()) undone.push_back(node->op());
  CHECK(ran == std::vector<std::string>{"second", "mul", "leaf"});
  CHECK(undone == std::vector<std::string>{"leaf", "mul", "second"});
  CHECK_FALSE(x.grad().defined());
  while (steps.next()) continue;
  CHECK(x.grad().item() == 3);
}

TEST_CASE("Any walk forth and back is where a straight one was, with the same bits, whatever hooks throw") {
  std::mt19937 random(1);
  int broken = 0, thrown = 0;  // which hook throws
  const auto unless = [&](int me, const Tensor& g) { return broken == me ? throw me : g * 10; };
  manual_seed(1);
  const Tensor x = Tensor::randn({2, 2}).requires_grad_(), w = Tensor::randn({2, 2}).requires_grad_(),
               fresh = Tensor::randn({2, 2}).requires_grad_();
  const auto product = [&](const Tensor& x) {
    const Tensor h = x * 3;
    if (h.requires_grad()) h.register_hook([&](const Tensor& g) { return unless(1, g); });
    return tanh(h * w);  // whose gradient, and w's with it, comes before the hook
  };
  // The outer tape's last op is done with w before the inner tape begins.
  const auto nested = [&](const Tensor& x) { return checkpoint(product, x * 2) * w; };
  const Tensor h = matmul(x, fresh) * x, y = checkpoint(nested, h) + checkpoint(product, x) + h;
  h.retain_grad();
  y.register_hook([&](const Tensor& g) { return unless(2, g); });
  const Tensor loss = sum(y * y + x * fresh);
  x.set_grad(Tensor::randn({2, 2})), w.set_grad(Tensor::randn({2, 2}));
  const Tensor held = x.grad();
  const auto gradients = [&] {
    std::string all;
    for (const Tensor& each : {x, w, fresh, h}) all += ' ' + text(each.grad().defined() ? each.grad() : Tensor::of({}));
    return all;
  };
  const auto state = [&] {
    std::string all = tape(loss) + explain(y).substr(0, explain(y).find("seconds")) + gradients();
    for (const Node* node : reachable(loss))
      if (node->pass.arrived.defined()) all += ' ' + text(node->pass.arrived);
    return all;
  };
  Stepper steps(loss);
  std::vector<std::string> straight{state()};
  while (steps.next()) straight.push_back(state());
  REQUIRE(straight.size() > 12);
  size_t at = straight.size() - 1;
  for (int move = 0; move < 600; ++move) {
    const bool forth = random() % 2;
    broken = int(random() % 3);
    CAPTURE(move, at, forth, broken);
    const bool stays = at == (forth ? straight.size() - 1 : 0);
    const Node* moved;
    try {
      moved = forth ? steps.next() : steps.back();
    } catch (int) {
      REQUIRE_THAT(straight[at], ContainsSubstring(gradients()));
      ++thrown;
      continue;
    }
    REQUIRE((moved == nullptr) == stays);
    if (!stays) at += forth ? 1 : -1;
    REQUIRE(state() == straight[at]);
  }
  CHECK(thrown > 10);
  CHECK(x.grad().is(held));
}
