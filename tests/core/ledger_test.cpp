#include <regex>

#include "core/tape/pass.hpp"
#include "core/watch/going_back.hpp"
#include "nn/linear.hpp"
#include "tests/support/test.hpp"

namespace {

struct DetectingNan {
  DetectingNan() { set_detect_nan(true); }
  ~DetectingNan() { set_detect_nan(false); }
};

std::string line_of(const std::string& text, const std::string& word) {
  const size_t at = text.find(word);
  REQUIRE(at != std::string::npos);
  const size_t begin = text.rfind('\n', at) + 1;
  return text.substr(begin, text.find('\n', at) - begin);
}

}

TEST_CASE("A sum of losses over a training keeps the last step's tape only") {
  const KeepLedger ledger(true);
  const Tensor w = parameter({1, 2});
  Tensor total = Tensor::zeros({});
  int64_t nodes[5];
  for (int64_t& alive : nodes) {
    const Tensor loss = sum(w * 2);
    total = total + loss.detach();
    loss.backward();
    alive = live_nodes();
  }
  CHECK(nodes[4] == nodes[1]);
}

TEST_CASE("explain shows each contribution's op and lines, shapes, range and numbers, and their sum") {
  const KeepLedger ledger(true);
  const nn::Linear linear(2, 1, false);
  linear.weight.detach().copy_(Tensor::of({{2, 3}}));
  const Tensor x = Tensor::ones({2}).requires_grad_();
  x.backward(Tensor::of({7, 7}));  // an earlier pass
  const int hook = x.register_hook([](const Tensor& g) { return g * 10; });
  const std::string here = "ledger_test.cpp:" + std::to_string(__LINE__ + 1);
  const Tensor y = linear(x), z = Tensor::of({{1, 2}, {NAN, 4}}) * x, loss = sum(y) + sum(z);
  loss.backward(Tensor::full({}, 2));
  const auto columns = [&](const Tensor& x) {  // two blanks apart
    std::string text = std::regex_replace(explain(x), std::regex("  +"), "  ");
    text = std::regex_replace(text, std::regex("linear.cpp:\\d+"), "linear.cpp");
    return std::regex_replace(text, std::regex(here), "here");
  };
  CHECK(columns(loss) == "backward  []  2 to 2  2\nsum  []  2 to 2  2\n");
  CHECK(columns(x) ==
      "earlier passes  [2]  7 to 7  7 7\n"
      "mul #2  here  [2, 2] -> [2]  12 to 12, 1 NaN  nan 12\n"
      "linear #1  linear.cpp, from here  [2]  4 to 6  4 6\n"
      "sum  [2]  25 to 25, 1 NaN  nan 25\n"
      "after hooks  [2]  180 to 180, 1 NaN  nan 180\n");
  x.remove_hook(hook);
  sum(x).backward();
  CHECK_THAT(explain(x), !ContainsSubstring("after hooks"));
}

TEST_CASE("A range is printed with the counts of NaN and Inf") {
  const auto said = [](const Tensor& x) { return text_of(Range(x)); };
  CHECK(said(Tensor::of({-1.5, 2})) == "-1.5 to 2");
  CHECK(said(Tensor::of({1., NAN, infinity, -infinity})) == "1 to 1, 1 NaN, 2 Inf");
  CHECK(said(Tensor::of({infinity})) == "no finite number, 1 Inf");
}

TEST_CASE("explain shows six numbers, or the first and last three") {
  const KeepLedger ledger(true);
  const auto numbers = [](int64_t n) {
    const Tensor x = Tensor::ones({n}).requires_grad_();
    (x * arange(n)).backward(Tensor::ones({n}));
    const std::string line = line_of(explain(x), "mul");
    return line.substr(line.rfind("  "));
  };
  CHECK(numbers(3) == "  0 1 2");
  CHECK(numbers(6) == "  0 1 2 3 4 5");
  CHECK(numbers(7) == "  0 1 2 ... 4 5 6");
}

TEST_CASE("explain shows 200 contributions, and says how many more there are") {
  const KeepLedger ledger(true);
  for (const int more : {0, 1}) {
    const Tensor x = parameter({1}), y = concat(Tensors(size_t(200 + more), x));
    y.backward(ones_like(y));
    CHECK(count(explain(x), "concat #") == 200);
    CHECK(count(explain(x), "and 1 more\n") == more);
  }
}

TEST_CASE("A tensor that is written over whole is no op's output any more") {
  const KeepLedger ledger(true);
  const Tensor x = Tensor::ones({2});
  CHECK_FALSE((x * 2).fill_(3).node());
  CHECK_FALSE((x * 2).copy_(x).node());
}

TEST_CASE("The ledger measures every op, and what a checkpoint saves again") {
  const KeepLedger ledger(true);
  const Tensor x = Tensor::ones({10}).requires_grad_();
  const auto product = [](const Tensor& x) { return (x + 1) * (x + 2); };
  const Tensor y = checkpoint(product, x);
  const Tensor nested = checkpoint([&](const Tensor& x) { return checkpoint(product, x); }, x);
  CHECK(y.node()->ledger->forward_seconds > 0);
  sum(y + nested).backward();
  for (const Tensor& each : {y, nested}) CHECK(each.node()->ledger->saved_again == 2 * 10 * int64_t{sizeof(Scalar)});
}

TEST_CASE("explain refuses a tensor without a gradient, and one of whose gradient no ledger was kept") {
  const KeepLedger off(false);
  const Tensor x = Tensor::ones({2}).requires_grad_();
  CHECK_THROWS_AS(explain(Tensor::ones({2})), TapeError);
  CHECK_THROWS_AS(explain(x), TapeError);
  const KeepLedger on(true);
  CHECK(explain(x) == "nothing has been added to the gradient while the ledger was kept\n");
}

TEST_CASE("While NaN are detected, what makes the first one throws, with its line and inputs") {
  const Tensor x = parameter({0, 2}).set_name("x"), bad = Tensor::of({NAN});
  const Scalar tiny = std::numeric_limits<Scalar>::min();
  CHECK_FALSE(trunc(bad).requires_grad());  // it is on no tape otherwise
  CHECK(trunc(parameter({1.5, NAN})).node() == nullptr);
  const DetectingNan detecting;
  const Tensor small = parameter({tiny}).set_name("x"), y = Tensor::of({tiny}) / small;
  const Tensor product = x * Tensor::of({3., 4.}).set_name("factor");
  struct Fault {
    std::function<void()> make;
    const char *begins, *has, *inputs;
  };
  const Fault faults[] = {
      {[&] { x / x; }, "div at ", "its output [2] has 1 NaN and 0 Inf", "'x' [2] 0 to 2"},
      {[&] { 1 / x; }, "div at ", "has 0 NaN and 1 Inf", ""},
      {[&] {
         concat({x, bad});
       },
          "concat at ", "its inputs are 'x' [2] 0 to 2", ", [1] no finite number, 1 NaN"},
      {[&] {
         concat({bad, bad});
       },
          "concat at ", "", "[1] no finite number, 1 NaN"},
      {[&] {
         trunc(parameter({1.5, NAN}));
       },
          "trunc at ", "", "[2] 1.5 to 1.5, 1 NaN"},
      {[&] { (y * 16).backward(); },  // y is 1, and its gradient -1/tiny
          "backward: div at ", "for its input 'x' [1] has 0 NaN and 1 Inf",
          "the gradient that arrived, [1], is 16 to 16"},
      {[&] {
         product.backward(Tensor::of({NAN, 1.}));
       },
          "backward: mul at ", "", "; its inputs were 'x' [2] 0 to 2, 'factor' [2] 3 to 4"},
  };
  for (const auto& [make, begins, has, inputs] : faults) {
    const std::string said = message<ValueError>(make);
    CHECK(said.starts_with(begins + std::string("ledger_test.cpp:")));
    CHECK_THAT(said, ContainsSubstring(has) && ContainsSubstring(inputs));
  }
  CHECK_NOTHROW(x + x);
  CHECK_FALSE(trunc(parameter({1.5})).requires_grad());
}

TEST_CASE("Of three ops that add to one gradient, the first that makes it infinite is named") {
  const DetectingNan detecting;
  using Op = Tensor (*)(Tensor);
  const Op fine = [](Tensor x) { return x * 2; }, infinite = [](Tensor x) { return sqrt(x); },
           too = [](Tensor x) { return pow(x, 0.5); };
  const std::pair<std::vector<Op>, const char*> all[] = {{{infinite, fine, fine}, "sqrt"},
      {{fine, infinite, fine}, "sqrt"}, {{fine, fine, infinite}, "sqrt"}, {{infinite, too, fine}, "pow"},
      {{too, fine, infinite}, "sqrt"}};
  for (const auto& [ops, named] : all) {
    const Tensor x = parameter({0});
    Tensor loss = Tensor::zeros({1});
    for (const Op op : ops) loss = loss + op(x);
    CHECK_THAT(
        message<ValueError>([&] { loss.backward(); }), ContainsSubstring(std::string("backward: ") + named + " at "));
  }
}

namespace {

std::string said_of(const Tensor& x) {
  const Ledger& ledger = *x.node()->ledger;
  std::string all = explain(x) + text_of(ledger.arrived, " saved again ", ledger.saved_again, " inside");
  for (const auto& [leaf, before] : ledger.leaves_inside) all += ' ' + (before.defined() ? text(before) : "none");
  return all + '\n';
}

}

TEST_CASE("A ledger that was turned off and on says the same of later passes as one kept all the time") {
  const KeepLedger on(true);
  enum When { never, between_ops, in_a_hook, between_passes };
  const auto said = [](When toggled, int passes_before) {
    const Tensor x = parameter({2, 3}).set_name("x"), w = parameter({5, 7}).set_name("w");
    const auto toggle = [&](When now) {
      if (now == toggled) set_ledger(false), set_ledger(true);
    };
    const Tensor h = x * w;
    h.retain_grad();
    if (passes_before > 0) x.set_grad(Tensor::of({7, 8}));
    toggle(between_ops);
    const Tensor y = checkpoint([w](Tensor x) { return exp(x / 9) * w; }, h), loss = sum(y * y);
    bool doubles = passes_before > 0;  // in the first pass
    const int hook = h.register_hook([&](const Tensor& g) {
      toggle(in_a_hook);
      return doubles ? g * 2 : Tensor();
    });
    for (int pass = 0; pass < passes_before; ++pass) {
      loss.backward({}, true);
      x.set_grad({}), w.set_grad({});
      toggle(between_passes);
      doubles = false;
    }
    loss.backward({}, true);
    h.remove_hook(hook);
    std::string all;
    for (const Tensor& each : {x, w, h, y, loss}) all += said_of(each);
    return std::regex_replace(all, std::regex("#\\d+| +"), " ");  // numbers go on
  };
  const std::string expected = said(never, 0);
  for (const int passes_before : {0, 1, 2})
    for (const When toggled : {never, between_ops, in_a_hook, between_passes}) {
      CAPTURE(passes_before, int(toggled));
      CHECK(said(toggled, passes_before) == expected);
    }
}

TEST_CASE("An op recorded before NaN detection has no ranges of inputs") {
  const KeepLedger off(false);
  const Tensor x = parameter({0});
  const Tensor loss = sqrt(x);
  const DetectingNan detecting;
  const std::string text = message<ValueError>([&] { loss.backward(); });
  CHECK(text.ends_with("the gradient that arrived, [1], is 1 to 1"));
}

TEST_CASE("While the ledger is kept a pass goes back over a product, and at its end frees it") {
  const KeepLedger ledger(true);
  const Tensor x = parameter({{1, 2}});
  const Tensor w = Tensor::from({3, 4}, {2, 1}).requires_grad_();
  const Tensor y = matmul(x, w), loss = sum(y);
  int products = 0;
  {
    Pass pass(loss, {}, false);
    while (Node* node = pass.next()) {
      stepgrad_backward_step(*node, pass.gradient());
      if (node == y.node() && ++products == 1) gradients_to_undo = 1;
    }
    CHECK(y.node()->saved->defined());
  }
  CHECK(products == 2);
  CHECK_FALSE(y.node()->saved->defined());
  CHECK(x.grad().to_vector() == Values{3, 4});
  CHECK(w.grad().to_vector() == Values{1, 2});
}

TEST_CASE("A ledger keeps an op's output, even if it is overwritten later") {
  const KeepLedger on(true);
  const Tensor w = parameter({2., 3.}), y = w * 2;
  const Ref<Node> mul(y.node());
  y.add_(100);
  CHECK(y.to_vector() == Values{104, 106});
  CHECK(mul->ledger->value.to_vector() == Values{4, 6});
}
