#include <iostream>
#include <set>

#include "core/memory/pool.hpp"
#include "core/tape/record.hpp"
#include "core/watch/paranoid.hpp"
#include "tests/support/test.hpp"

namespace {

// Paranoid until the end of the test. Captures std::cerr, which reports repeat.
class Paranoid {
 public:
  Paranoid() : cerr_(std::cerr.rdbuf(said_.rdbuf())) { set_paranoid(true); }
  ~Paranoid() {
    set_paranoid(false);
    std::cerr.rdbuf(cerr_);
  }
  std::string said() const { return said_.str(); }

 private:
  std::ostringstream said_;
  std::streambuf* cerr_;
};

// Y = X², and learners' wrong gradients for it.
struct SquareBackward final : Node {
  static constexpr Formula formula{
      "square", "Y = X²", "dX = 2·dY∘X", [](Inputs x, const Attributes&) { return mul(x[0], x[0]); }};
  explicit SquareBackward(Scalar factor) : Node(formula), factor(factor) {}
  void backward(Tensor dY) override {
    if (factor != 0) x.add_grad(mul(dY, X) * factor);
  }
  Input x{this};
  Saved X{this, "X"};
  Scalar factor;
};

Tensor square(Arg x, Scalar factor) {
  const Tensor* const operands[] = {&x.tensor};
  auto node = record<SquareBackward>(operands, x.loc, factor);
  if (node) node->X = x.tensor;
  const NoGrad no_grad;
  const Tensor y = mul(x.tensor, x.tensor);
  return on_tape(y.clone(), std::move(node));
}

// Y = A + B, whose gradients are in memory that somebody else holds, too.
struct LentBackward final : Node {
  static constexpr Formula formula{"lent", "Y = A + B", "dA = dY   dB = dY"};
  explicit LentBackward(Tensor memory) : Node(formula), memory(std::move(memory)) {}
  void backward(Tensor) override { a.add_grad(lent()), b.add_grad(lent()); }
  Tensor lent() const {
    const auto nothing = [](void*) {};
    return Tensor::over(Storage::borrow(memory.data(), memory.numel(), nothing, nullptr), memory.shape());
  }
  Input a{this}, b{this};
  Saved B{this, "B"};
  Tensor memory;
};

Tensor lent(Arg a, Arg b, const Tensor& memory) {
  const Tensor* const operands[] = {&a.tensor, &b.tensor};
  auto node = record<LentBackward>(operands, a.loc, memory);
  if (node) node->B = b.tensor;
  const NoGrad no_grad;
  return on_tape(add(a.tensor, b.tensor).clone(), std::move(node));
}

// Y = X, whose recompute fails.
struct BrokenBackward final : Node {
  static constexpr Formula formula{
      "broken", "Y = X", "dX = dY", [](Inputs, const Attributes&) -> Tensor { throw ValueError("not again"); }};
  BrokenBackward() : Node(formula) {}
  void backward(Tensor dY) override { x.add_grad(std::move(dY)); }
  Input x{this};
};

Tensor broken(Arg x) {
  auto node = record<BrokenBackward>(x);
  return on_tape(x.tensor.copied(), std::move(node));
}

}

TEST_CASE("Gradients that share memory with each other or a saved tensor are found") {
  const Tensor a = leaf({3}), b = leaf({3});
  const std::string shared = "the gradients of [3] and [3] are in the same memory";
  const std::string saved = "the gradient of [3] is in the memory of the saved B";
  const Paranoid paranoid;
  const Tensor apart = lent(a, b, Tensor::ones({3})), same = lent(a, b, b);
  apart.backward(Tensor::ones({3}));
  CHECK_THAT(paranoid.said(), ContainsSubstring(shared) && !ContainsSubstring(saved));
  same.backward(Tensor::ones({3}));
  CHECK_THAT(paranoid.said(), ContainsSubstring(saved));
}

TEST_CASE("In paranoid mode every op's gradient is compared, and is right") {
  const std::set<std::string> not_compared{
      "bfloat16", "half", "checkpoint", "trunc", "dropout_mask", "fused_attention", "fused_feed_forward"};
  for (const OpExample& example : OpExample::all()) {
    INFO(example.op);
    const Paranoid paranoid;
    const Tensor y = example.f(example.inputs());
    if (!y.requires_grad()) continue;
    y.backward(Tensor::randn(y.shape()));
    INFO(paranoid_verdict());
    CHECK_THAT(paranoid_verdict(), ContainsSubstring("found: nothing"));
    CHECK_THAT(paranoid_verdict(), !ContainsSubstring("WRONG"));
    if (!not_compared.count(example.op)) CHECK_THAT(paranoid_verdict(), !ContainsSubstring("not compared"));
  }
}

TEST_CASE("A user's wrong backward function is found on the user's numbers") {
  const Tensor x = parameter({0.5f, -2, 3}).set_name("x");
  const Paranoid paranoid;
  SECTION("a factor is forgotten") {
    sum(square(x, 1)).backward();
    CHECK_THAT(paranoid.said(), ContainsSubstring("paranoid: square at paranoid_test.cpp:"));
    CHECK_THAT(paranoid.said(),
        ContainsSubstring("the gradient of 'x' [3] at element 2 is 3, and a "
                          "central difference there is 6"));
    CHECK_THAT(paranoid_verdict(), ContainsSubstring("WRONG"));
  }
  SECTION("an input is forgotten") {
    sum(square(x, 0)).backward();
    CHECK_THAT(paranoid.said(), ContainsSubstring(" is 0, and a central difference there is "));
  }
}

TEST_CASE("A gradient that goes wrong later is found at its second, fourth, eighth time") {
  const Tensor x = parameter({0.5f, -2, 3});
  for (const int wrong_at : {1, 2, 4, 8}) {
    const Paranoid paranoid;
    for (int time = 1; time <= 8; ++time) sum(square(x, time == wrong_at ? 1 : 2)).backward();
    CHECK_THAT(paranoid_verdict(), ContainsSubstring("WRONG in"));
  }
}

TEST_CASE("Paranoid mode keeps the ledger for itself, also where the program turns it off") {
  const Tensor x = parameter({0.5f, -2, 3}).set_name("x");
  {
    const Paranoid paranoid;
    const KeepLedger off(false);
    sum(square(x, 1)).backward();
    set_ledger(true), set_ledger(false);
    sum(square(x, 1)).backward();
    CHECK_THAT(paranoid_verdict(), ContainsSubstring("WRONG in 4"));
  }
  const KeepLedger off(false);
  CHECK_FALSE(square(x, 1).node()->ledger);
}

TEST_CASE("Paranoid mode compares beside a mask's -1e9, and a mask that masks nothing") {
  const Paranoid paranoid;
  sum(masked_fill(leaf({2, 3}), Tensor::zeros({3}), 9)).backward();
  const Tensor x = parameter({{1, 2, 3}});
  const Tensor y = softmax(masked_fill(x, Tensor::of({{0, 0, 1}}), Scalar(-1e9)));
  y.backward(Tensor::of({{1, 3, 2}}));
  CHECK_THAT(paranoid_verdict(), ContainsSubstring("found: nothing"));
  CHECK_THAT(paranoid_verdict(), !ContainsSubstring("not compared"));
}

TEST_CASE("Paranoid mode finds a write that changes no version") {
  const Paranoid paranoid;
  const Tensor x = parameter({1, 2}), w = parameter({3, 4});
  const Tensor loss = sum(x * w);
  w.data()[1] = 5;
  x.data()[1] = 5;
  loss.backward();
  for (const char* saved : {"A", "B"})
    CHECK_THAT(
        paranoid.said(), ContainsSubstring("the saved " + std::string(saved) + " [2] has changed since it was saved"));
}

TEST_CASE("In paranoid mode memory that nobody has written to is NaN, and so is what is given back") {
  const Paranoid paranoid;
  for (const int64_t n : {40, 4000}) CHECK(std::isnan(Tensor::empty({n}).data()[n - 1]));
  if (!keep_blocks) return;  // else what is given back may not be read
  const Scalar* freed = Tensor::ones({4000}).data();
  CHECK(std::isnan(freed[3999]));
}

TEST_CASE("Paranoid mode names each input whose gradient is not finite, and each once for a line") {
  const Tensor x = parameter({1, 2}).set_name("x");
  const Tensor w = parameter({3, 4}).set_name("w");
  const Paranoid paranoid;
  for (int i = 0; i < 3; ++i) (x * w).backward(Tensor::of({1, NAN}));
  const std::string said = paranoid.said();
  for (const char* name : {"x", "w"}) {
    const std::string found = "the gradient of '" + std::string(name) + "' [2] has 1 NaN and 0 Inf";
    CHECK(said.find(found) != said.npos);
    CHECK(said.find(found) == said.rfind(found));
  }
}

TEST_CASE("Paranoid mode's report is a table of ops, then the findings") {
  const Tensor x = parameter({2}).set_name("x");
  const Paranoid paranoid;
  square(x, 3).backward();
  relu(x * 0).backward();
  for (int i = 0; i < 3; ++i) broken(x).backward();
  const std::string verdict = paranoid_verdict();
  CHECK(verdict.starts_with("paranoid: what was found of 4 ops\n"));
  CHECK_THAT(verdict, ContainsSubstring("op      gradients  compared  largest difference  verdict"));
  CHECK_THAT(verdict, ContainsSubstring("mul     1          1         0 "));
  CHECK_THAT(verdict, ContainsSubstring("broken  3          0         -                   not compared"));
  CHECK_THAT(verdict,
      ContainsSubstring("relu    1          0         -                   not compared, "
                        "1 at a kink"));
  CHECK_THAT(verdict, ContainsSubstring("square  1          1         0.33                WRONG in 1\n"));
  CHECK_THAT(verdict, ContainsSubstring("found: square at paranoid_test.cpp:"));
  CHECK_THAT(verdict, ContainsSubstring("recompute failed: not again"));
  CHECK_THAT(verdict, !ContainsSubstring("too small"));
}

TEST_CASE("A training step has the same bits in paranoid mode") {
  const auto step = [] {
    manual_seed(3);
    const Tensor x = Tensor::randn({5, 7}), w = Tensor::randn({7, 9}).requires_grad_();
    const Tensor h = gelu(x.matmul(w));
    mean(h * dropout_mask(h, Scalar(0.5))).backward();
    return w.grad();
  };
  const Tensor plain = step();
  const Paranoid paranoid;
  CHECK(step().to_vector() == plain.to_vector());
}
