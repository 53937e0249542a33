// The recording of a tape for a page.
#include "core/trace/recording.hpp"

#include "core/watch/stepper.hpp"
#include "ops/ops.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/gradcheck.hpp"

TEST_CASE("A leaf's step is right after its last use, as in the pass") {
  const KeepLedger on(true);
  const Tensor x = leaf({2}), b = leaf({2}), loss = sum(x * x + b);
  loss.backward();
  std::vector<int> ops;
  for (const Recording::Step& step : recording_of(loss, 100).steps) ops.push_back(step.op);
  CHECK(ops == std::vector{2, 1, -1, 0, -1});
}

TEST_CASE("A part knows which of how many it is, also while a pass is under way") {
  const KeepLedger on(true);
  const Tensor t = leaf({2}), s = t * t, loss = sum(s * t);
  std::string found;
  const auto note = [&] {
    const Recording tape = recording_of(loss, 100);
    found += tape.pass;
    for (const Recording::Step& step : tape.steps)
      for (const Recording::Add& add : step.adds)
        if (step.op >= 0 && tape.values[add.value].op < 0)
          found += ' ' + std::to_string(add.nth) + '/' + std::to_string(add.of);
  };
  s.register_hook([&](const Tensor&) { return note(), Tensor(); });
  loss.backward();
  note();
  CHECK(found == "under way 1/3whole 1/3 2/3 3/3");
}

TEST_CASE("A recording says which pass it has: none, a freed one, or one from another loss") {
  const KeepLedger on(true);
  const Tensor t = leaf({2}), y = t * 2, loss = sum(y);
  CHECK(recording_of(loss, 100).pass == std::string("none"));
  loss.backward();
  CHECK(recording_of(loss, 100).from_here);
  CHECK_FALSE(recording_of(y, 100).from_here);
  set_ledger(false);  // t's ledger is still that of the pass before
  const Tensor halfway = t * 5, end = sum(halfway);
  std::string midway;
  halfway.register_hook([&](const Tensor&) {
    midway = recording_of(end, 100).pass;
    return Tensor();
  });
  end.backward();
  CHECK(midway == "freed");
  CHECK(recording_of(end, 100).pass == midway);
  CHECK(recording_of(end, 100).steps.empty());
}

TEST_CASE("A hook counts as a change if it changes a number, however little") {
  const KeepLedger on(true);
  for (const Scalar by : {Scalar(2), Scalar(-0.), Scalar(1e-9), Scalar(NAN), -infinity})
    for (const Scalar factor : {Scalar(1), 1 + epsilon, Scalar(-1)}) {
      const Tensor t = leaf({2}), loss = sum(t * Tensor::of({0., double{by}}));
      t.register_hook([=](const Tensor& g) { return g * factor; });
      loss.backward();
      CHECK(recording_of(loss, 100).steps.back().hooked == !(by * factor == by || std::isnan(by)));
    }
}

TEST_CASE("A leaf that a checkpoint adds to as well has the change of its grad, and no parts") {
  const KeepLedger on(true);
  const Tensor w = Tensor::of({2., 3.}).requires_grad_();
  w.set_grad(Tensor::of({100., 100.}));
  const Tensor y = checkpoint([&](const Tensor& x) { return x * w; }, w * 5);
  const Tensor loss = sum(y * w);  // 5w³
  const auto leaf_step = [&] { return recording_of(loss, 100).steps.back().adds[0]; };
  loss.backward({}, true);
  CHECK(leaf_step().part.to_vector() == Values{60, 135});
  CHECK(leaf_step().total.to_vector() == Values{160, 235});
  CHECK(leaf_step().of == 0);
  loss.backward();  // another pass, whose change nobody kept
  CHECK_FALSE(leaf_step().part.defined());
}

TEST_CASE("Without a ledger a page has the loss, constants and what was saved, until it is overwritten") {
  const KeepLedger off(false);
  const Tensor x = Tensor::of({1, 2}).requires_grad_(), c = Tensor::of({5, 6}), h = x * 3;
  const Tensor loss = sum((x * c) * h);
  const Recording tape = recording_of(loss, 100);
  const auto number = [&](int value) { return tape.values[value].value.to_vector(); };
  CHECK(number(tape.ops[3].output) == Values{87});
  CHECK(std::string(tape.values[tape.ops[1].inputs[1]].role) == "constant");
  CHECK(number(tape.ops[2].inputs[0]) == Values{5, 12});
  CHECK(number(tape.ops[2].inputs[1]) == Values{3, 6});
  h.add_(1);
  const Recording later = recording_of(loss, 100);
  CHECK_FALSE(later.values[later.ops[2].inputs[1]].value.defined());
}

TEST_CASE("A constant, a row of it, and what it is after a change in place are three values") {
  const KeepLedger on(true);
  const Tensor x = Tensor::of({1, 2}).requires_grad_(), c = Tensor::of({{5, 6}, {7, 8}});
  const Tensor row = c[0], y = x + c;
  c.add_(1);
  const Recording tape = recording_of(sum(y * row + c), 100);
  const auto input = [&](const char* op, size_t i) {
    const auto of = [&](const Recording::Op& one) { return one.node->op() == std::string_view(op); };
    return tape.values[std::find_if(tape.ops.begin(), tape.ops.end(), of)->inputs[i]];
  };
  CHECK((input("add", 1).changed && !input("add", 1).value.defined()));
  CHECK(tape.values[tape.ops.end()[-2].inputs[1]].value.to_vector() == Values{6, 7, 8, 9});
  CHECK(input("slice", 0).changed);
  CHECK(input("mul", 1).value.to_vector() == Values{5, 6});
}

TEST_CASE("While a ledger is kept, what is computed from constants and under NoGrad is on the tape") {
  const KeepLedger on;
  const Tensor c = Tensor::of({1, 2}).set_name("c"), w = parameter({3, 4});
  const Tensor square = c * c;
  const auto loss = [&] {
    const auto largest = [&] {
      const NoGrad no_grad;
      return amax(w, 0);
    };
    const Tensor most = largest();
    return sum(square * w / most);
  };
  const auto ops = [](const Tensor& y) {
    std::string text;
    for (const Node* node : recorded(y)) text += std::string(node->op()) + ' ';
    return text;
  };
  for (int pass = 0; pass < 3; ++pass) {  // square lasts, and nothing else is older than a pass
    const Tensor y = loss();
    CHECK(ops(y) == "mul amax mul div sum ");
    y.backward();
  }
  CHECK(live_nodes() == 2);  // of square and w
  Tensor average = Tensor::zeros({2});
  for (int pass = 0; pass < 5; ++pass) {  // a running average keeps no history of its passes
    average = average * 0.9 + c * 0.1;
    sum(w).backward();
  }
  CHECK(recorded(sum(w * average)).size() <= 8);
}

TEST_CASE("The output of an op that was left out is no leaf: it has that op's number, and no step") {
  const KeepLedger on;
  const Tensor x = leaf({2}), y = x * 3, z = y * y, loss = sum(z);
  loss.backward();
  const Recording tape = recording_of(loss, 2);
  CHECK(tape.left_out == 1);
  CHECK(tape.values[0].name == "#" + std::to_string(y.node()->number));
  CHECK(tape.steps.size() == 2);
  CHECK(tape.steps[1].adds.size() == 2);  // z = y·y passes both parts on
}

TEST_CASE("An op's flops: 2mnk for a product, 0 for a move, else one per element") {
  const auto flops = [](const Tensor& y) { return recording_of(y, 1).ops.back().flops; };
  const Tensor x = leaf({3, 5}), w = leaf({4, 5});
  for (const Tensor& product : {linear(x, w), matmul(x, w.t()), batched_matmul(x.unsqueeze(0), w.t())})
    CHECK(flops(product) == 2 * 3 * 4 * 5);
  for (const Tensor& each : {x + w[0], sum(x)}) CHECK(flops(each) == 3 * 5);
  for (const Tensor& moved : {x.t(), x.view({15}), x.slice(1, 1, 3), expand(x, {2, 3, 5}), concat({x, x}, 0), x.clone(),
           repeat(x, {2, 1}), embedding(w, Tensor::of({1, 0}))})
    CHECK(flops(moved) == 0);
}
