#include "core/watch/refusal.hpp"
#include "nn/nn.hpp"
#include "tests/support/test.hpp"

using Catch::Matchers::EndsWith;

static std::string whole_message(const std::function<void()>& f) {
  try {
    f();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "nothing was thrown";
}

#define CHECK_LINE(...) \
  CHECK_THAT(           \
      whole_message([&] { __VA_ARGS__; }), EndsWith(" (at error_line_test.cpp:" + std::to_string(__LINE__) + ")"))

TEST_CASE("A module's error names its line and the one that called the module") {
  nn::Linear layer(3, 8);
  layer.weight = Tensor::ones({3});
  const Tensor x = Tensor::ones({2, 3});
  const std::string here = "error_line_test.cpp:" + std::to_string(__LINE__ + 1) + ")";
  const std::string said = whole_message([&] { layer(x); });
  CHECK(said.find(" (at linear.cpp:") != std::string::npos);
  CHECK(said.ends_with(", from " + here));
  const nn::PositionwiseFeedForward ffn(2, 8);
  CHECK_LINE(ffn(x));
}

// call_lines_test.py calls each declaration wrongly. These mistakes need a tensor in some state,
// more than one call, or a template.
TEST_CASE("An error ends with the line of the mistake") {
  const Tensor x = Tensor::ones({2, 3}), row = Tensor::ones({4}), w = parameter({1, 2});
  const std::string nowhere = "/nowhere/file";
  const Tensor hooked = parameter({1});
  hooked.register_hook([&](const Tensor&) { return row; });
  nn::SGD optimizer({w});
  nn::Linear layer(2, 2);
  CHECK_LINE(x.clone()[0] = row);
  CHECK_LINE(mean(x.exp() + x.sum(1).reshape({2, 4})));  // an op within others
  CHECK_LINE(for (Tensor each : Tensor::ones({})) each.zero_());
  CHECK_LINE(x.at(9, 0));
  CHECK_LINE(x.at(1));
  CHECK_LINE(x.shape()[9]);
  CHECK_LINE(x.sum({0, 0, 0, 0, 0, 0, 0}));
  CHECK_LINE((w * 2).backward());
  CHECK_LINE(sum(w).backward(x));
  CHECK_LINE((w * 2).grad());
  CHECK_LINE((w * 2).requires_grad_(false));
  CHECK_LINE(w.set_grad(x));
  CHECK_LINE(hooked.backward());
  CHECK_LINE(w.add_(1));
  CHECK_LINE(row.add_(x.reshape({6, 1})));
  CHECK_LINE(Tensor::of({1}).div_(2));
  CHECK_LINE(w.fill_(1));
  CHECK_LINE(Tensor::of({1}).fill_(infinity));
  CHECK_LINE(Tensor::of({1}).copy_(Tensor::of({infinity})));
  CHECK_LINE(Tensor::zeros({1, 1, 1, 1, 1, 1, 1}));
  CHECK_LINE(Tensor::of({16'777'217}));
  CHECK_LINE(Tensor::from(std::vector<int>{16'777'217}));
  CHECK_LINE(nn::SGD({}));
  CHECK_LINE(nn::SGD({w, x, w}));
  CHECK_LINE(nn::SGD({w * 2}));
  CHECK_LINE(nn::save_checkpoint(nowhere, layer, optimizer, 1));
  CHECK_LINE(nn::load_checkpoint(nowhere, layer, optimizer));
  CHECK_LINE(set_num_threads(0));
  CHECK(Tensor::ones({}).grad_fn().empty());
}

TEST_CASE("A refusal has its operands in the order of their shapes in the message, and equal ones as given") {
  const Tensor a = Tensor::ones({2, 3}), b = Tensor::ones({4, 5}), row = Tensor::ones({2});
  const Tensor same = Tensor::ones({2, 3}), third = Tensor::ones({2, 3});
  const std::pair<std::function<void()>, Tensors> refused[] = {
      {[&] { matmul(a, b); }, {a, b}},
      {[&] { matmul(a, same); }, {a, same}},
      {[&] { same.matmul(a); }, {same, a}},
      {[&] { layer_norm(third, a, same); }, {third, a, same}},
      {[&] { add(b, a); }, {b, a}},
      {[&] { where(a, row, b); }, {row, b, a}},
      {[&] { cross_entropy(a, b); }, {b, a}},
      {[&] { gather(b, 0, row); }, {b, row}},
      {[&] { batched_matmul(row, b); }, {row, b}},
      {[&] { index_add(a, row, b); }, {b, row, a}},
      {[&] { fused_feed_forward(a, same, {}, row, {}, 0); }, {a, same, row}},
      {[&] {
         concat({b, a, row}, 1);
       },
          {b, a, row}},
  };
  const KeepLedger on(true);
  for (const auto& [call, operands] : refused) {
    CHECK_THROWS_AS(call(), ShapeError);
    const auto [said, loc, found] = last_refusal();
    INFO(said);
    CHECK(std::equal(found.begin(), found.end(), operands.begin(), operands.end(),
        [](const Tensor& x, const Tensor& y) { return x.data() == y.data(); }));
  }
  CHECK_THROWS_AS(a.at(9, 0), IndexError);
  CHECK(last_refusal().operands.empty());
  CHECK_THROWS_AS(matmul(a, b), ShapeError);
  set_ledger(false), set_ledger(true);
  CHECK(last_refusal().said.empty());
}

TEST_CASE("Where a gradient is used that has not arrived, the message says whose it is") {
  const Tensor w = parameter({1, 2}).set_name("w"), x = Tensor::ones({3});
  for (const auto& use : std::initializer_list<std::function<void(const Tensor&)>>{[](const Tensor& g) { g.item(); },
           [](const Tensor& g) { g * 2; }, [](const Tensor& g) { g[0]; }, [](const Tensor& g) { concat({g}); }}) {
    CHECK_THAT(whole_message([&] { use(w.grad()); }),
        ContainsSubstring("; perhaps 'w' [2] has no gradient yet: backward() has not run"));
    CHECK_THAT(whole_message([&] { use(x.grad()); }), ContainsSubstring("; perhaps a tensor [3] requires no gradient"));
  }
  CHECK_THAT(whole_message([&] { w.grad().item(); }), ContainsSubstring("undefined; 'w' [2] has"));
}

namespace {

// Y = A∘B      dA = dY∘B, dB = dY∘A, without asking whether they are wanted
struct HastyBackward final : Node {
  static constexpr Formula formula{"hasty", "Y = A∘B", "dA = dY∘B, dB = dY∘A"};
  explicit HastyBackward(bool both) : Node(formula) {
    if (both) b.emplace(this);
  }
  void backward(Tensor dY) override {
    a.add_grad(dY * B);
    b->add_grad(dY * A);
  }
  static constexpr int line = __LINE__ - 2;  // of what adds to b
  Input a{this};
  std::optional<Input> b;
  Saved A{this, "A", &a}, B{this, "B"};
};

Tensor hasty(Arg a, Arg b, bool both = true) {
  const Tensor* const operands[] = {&a.tensor, &b.tensor};
  auto node = record<HastyBackward>(operands, a.loc, both);
  node->A = a.tensor, node->B = b.tensor;
  return on_tape(mul(a.tensor.detach(), b.tensor.detach()), std::move(node));
}

}

TEST_CASE("An op of one's own that asks too little is told what it has to ask") {
  const Tensor w = parameter({1, 2}), x = Tensor::ones({2}).set_name("x");
  CHECK_ERROR(TapeError, sum(hasty(w, x)).backward(),
      "add_grad: the input 'x' [2] requires no gradient: ask if (x) before x.add_grad(...)");
  CHECK_THAT(whole_message([&] { sum(hasty(w, x)).backward(); }),
      EndsWith(" (at error_line_test.cpp:" + std::to_string(HastyBackward::line) + ")"));
  CHECK_ERROR(
      TapeError, hasty(w, w, false), "hasty: its struct has fewer Inputs than the 2 operands it is recorded with");
  const NoGrad no_grad;
  CHECK_ERROR(TapeError, hasty(w, w), "nothing is recorded here: ask if (node) before node->...");
}
