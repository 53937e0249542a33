// The messages of a backward pass about overwritten saved tensors.
#include "nn/relu.hpp"
#include "tests/support/parameter.hpp"
#include "tests/support/test.hpp"

namespace {

void overwrite(const Tensor& x) {
  const NoGrad no_grad;
  x.mul_(2);
}

// The first one that an op behind y has saved of x's memory, in the order of their checks.
const Saved* saved_of(const Tensor& x, const Tensor& y) {
  for (const Node* node : reachable(y))
    for (const Saved* saved = node->saved; saved; saved = saved->next)
      if (saved->defined() && saved->storage().get() == x.storage().get()) return saved;
  return nullptr;
}

}

TEST_CASE("Overwriting a saved tensor makes backward throw, overwriting others does not") {
  for (const OpExample& example : OpExample::all()) {
    for (size_t i = 0;; ++i) {
      Tensors x = example.inputs();
      const Tensor y = example.f(x);
      if (!y.requires_grad() || i > x.size()) break;
      const Tensor& written = i < x.size() ? x[i] : y;
      INFO(example.op << " of which tensor " << i << " is written over");
      const Saved* saved = saved_of(written, y);
      const std::string letter = saved ? saved->letter : "";
      const auto gradients = [&x] {
        std::vector<Values> all;
        for (const Tensor& each : x) {
          if (!each.grad().defined()) continue;
          all.push_back(each.grad().to_vector());
          each.grad().zero_();
        }
        return all;
      };
      y.backward(ones_like(y), true);
      const std::vector<Values> before = gradients();
      overwrite(written);
      const std::string says = message<TapeError>([&] { y.backward(ones_like(y)); });
      CHECK_THAT(says, ContainsSubstring(saved ? " saved " + letter : "nothing was thrown"));
      if (saved) CHECK(says.ends_with("an in-place op has changed it to version 1"));
      if (!saved) CHECK(gradients() == before);
    }
  }
}

TEST_CASE("Ops that move or add numbers save none, and others not what they can do without") {
  const Tensor a = named_leaf("a"), b = named_leaf("b");
  for (const Tensor& y : Tensors{a + b, a - b, -a, clone(a), sum(a, 0), mean(a, 0), t(a), reshape(a, {4}),
           expand(a, {2, 2, 2}), repeat(a, {2, 2}), a[0]})
    CHECK(saved_letters(y) == "");
  CHECK(saved_letters(a * b.detach()) == "B");
  CHECK(saved_letters(a / b.detach()) == "B");
  CHECK(saved_letters(relu(a)) == "Y");
  CHECK(saved_letters(log_softmax(a)) == "Y");
}

TEST_CASE("A pass that finds an overwritten saved tensor has changed no gradient") {
  const Tensor a = named_leaf("a"), b = named_leaf("b");
  const Tensor early = a * b, late = early + a;
  overwrite(b);
  CHECK_THROWS_AS(late.backward(ones_like(late)), TapeError);
  CHECK_FALSE(a.grad().defined());
  CHECK_FALSE(b.grad().defined());
  (a + 1).backward(ones_like(a));
  CHECK(a.grad().to_vector() == Values{1, 1, 1, 1});
}

TEST_CASE("Blocks that share a version start at the first one's") {
  const Tensor a = named_leaf("a"), b = operand("b");
  b.fill_(2), b.fill_(3);
  const Tensor y = a * b, view = b.clone(), another = b.clone();
  view.storage()->count_versions_with(*b.storage());
  another.storage()->count_versions_with(*view.storage());
  CHECK(another.storage()->version() == 2);
  y.backward(ones_like(y), true);
  another.fill_(1);
  CHECK_THROWS_AS(y.backward(ones_like(y)), TapeError);
  CHECK(b.storage()->version() == 3);
}

// Of those with kinds of their own: kind_test.cpp.
TEST_CASE("Each way of writing in place counts as a version") {
  const auto row = [](const Tensor& x, IndexKind kind) { return Places(Layout(x.shape()).select(0, 1), kind); };
  const std::vector<std::function<void(Tensor)>> ways{
      [](Tensor x) { x.fill_(1); },  // as its first number is
      [](Tensor x) { nn::ReLU(true)(x); },
      [](Tensor x) { x.data()[0] = 7, x.increment_version(); },
      [&](Tensor x) { unsafe_index_put_(x, row(x, IndexKind::select), 5); },
      [&](Tensor x) { unsafe_index_put_(x, row(x, IndexKind::index), 5); },
  };
  for (const auto& write : ways) {
    const Tensor w = named_leaf("w"), x = operand("x"), y = w * x;
    write(x);
    CHECK_THAT(message<TapeError>([&] { y.backward(ones_like(y)); }), ContainsSubstring(" changed it to version 1"));
  }
}

TEST_CASE("Adding to a gradient counts as a write") {
  const Tensor w = named_leaf("w");
  sum(w).backward();
  const Tensor penalty = sum(w * w.grad());
  sum(w).backward();
  CHECK(message<TapeError>([&] {
    penalty.backward();
  }).ends_with("[2, 2] at version 0, and an in-place op has changed it to version 1"));
}
