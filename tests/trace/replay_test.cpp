#include "core/trace/replay.hpp"

#include <functional>
#include <set>

#include "core/check.hpp"
#include "core/tensor/random.hpp"
#include "core/trace/base64.hpp"
#include "nn/positionwise_feed_forward.hpp"
#include "nn/sgd.hpp"
#include "ops/ops.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/gradcheck.hpp"
#include "tests/support/message.hpp"

namespace {

constexpr size_t all = 1000;

// Every number of a recording, in its order, and between them the names of its ops.
std::string all_bits(const Recording& recording) {
  std::string text;
  const auto add = [&](const Tensor& x) {
    text += x.defined() ? base64({x.data(), x.data() + x.numel()}) + ' ' : "none ";
  };
  for (const Recording::Value& value : recording.values) add(value.value), add(value.grad);
  for (const Recording::Op& op : recording.ops) {
    text += std::string(op.node->op()) + ' ';
    for (const Saved* saved = op.node->saved; saved; saved = saved->next) add(*saved);
  }
  for (const Recording::Step& step : recording.steps) {
    add(step.dY);
    for (const Recording::Add& each : step.adds) add(each.part), add(each.total);
  }
  return text;
}

// A network that is in training, and all that a step of it draws and computes.
struct Network {
  nn::PositionwiseFeedForward ffn{4, 8, Scalar(0.25)};
  Tensor x = Tensor::randn({3, 4}).set_name("x");
  nn::SGD sgd{ffn.parameters(), Scalar(0.1)};
  Tensor loss() {
    const Tensor y = ffn(ffn(x));  // two masks
    return mean(y * y);
  }
};

// A loss after its backward pass, recorded, and a replay of both.
struct Replayed {
  explicit Replayed(const Tensor& loss, const Tensor& dY = {})
      : recording((loss.backward(dY, true), recording_of(loss, all))), replay(to_text(recording)) {}
  size_t place(std::string_view name) const {
    size_t v = 0;
    while (recording.values.at(v).name != name) ++v;
    return v;
  }
  Tensor given(const char* name) const { return replay.given(place(name)); }
  Recording recording;
  Replay replay;
};

std::string why_not(const Tensor& loss) {
  try {
    to_text(recording_of(loss, all));
    return "";
  } catch (const TapeError& error) {
    const std::string text = error.what();
    return text.substr(0, text.find(" (at "));
  }
}

}

TEST_CASE("A replay recomputes each op bitwise, forward and backward") {
  std::set<std::string> refused;
  const KeepLedger ledger;
  for (const OpExample& example : OpExample::all()) {
    INFO(example.op);
    const Tensor y = example.f(example.inputs());
    try {
      Replayed tape(y, Tensor::randn(y.shape()));
      CHECK(all_bits(tape.replay.run()) == all_bits(tape.recording));
      CHECK(all_bits(tape.replay.run()) == all_bits(tape.recording));
    } catch (const TapeError&) {
      refused.insert(example.op);
    }
  }
  CHECK(refused == std::set<std::string>{"checkpoint", "fused_feed_forward"});
}

TEST_CASE("Steps of a replay by SGD, with dropout drawn by its counter, are a program's own") {
  const KeepLedger ledger;
  for (const bool forgets : {false, true}) {
    manual_seed(3);
    Network network;
    Replayed first(network.loss());
    Replay& replay = first.replay;
    for (int i = 0; i < 3; ++i) {
      network.sgd.step();
      if (!forgets) network.sgd.zero_grad(true);
      const Tensor loss = network.loss();
      loss.backward({}, true);

      if (i == 0) replay.run();
      for (const char* w : {"w1", "b1", "w2", "b2"}) replay.step(first.place(w), Scalar(0.1));
      replay.keep_gradients();
      if (!forgets) replay.zero_grad();
      replay.draw(true);
      INFO((forgets ? "without" : "with") << " zero_grad, step " << i);
      CHECK(all_bits(replay.run()) == all_bits(recording_of(loss, all)));
    }
  }
}

TEST_CASE("The mask on record is the one that was computed with: drawn, in evaluation, changed by hand") {
  const KeepLedger ledger;
  manual_seed(3);
  Network network;
  Replayed tape(network.loss());
  const std::vector<Recording::Op>& ops = tape.recording.ops;
  size_t op = 0;
  while (ops.at(op).node->op() != std::string_view("dropout_mask")) ++op;
  const size_t mask = ops[op].output;
  const std::vector<std::function<void()>> ways{[] {}, [&] { tape.replay.draw(true); },
      [&] { tape.replay.draw(false); }, [&] { tape.replay.given(mask).data()[5] = Scalar(0.5); },
      [&] { tape.replay.keep_numbers(); }};
  for (const auto& way : ways) {
    way();
    const Recording recording = tape.replay.run();
    const Recording::Op& times = recording.ops.at(op + 1);
    const Tensor &shown = recording.values.at(mask).value, &h = recording.values.at(times.inputs.at(0)).value,
                 &y = recording.values.at(times.output).value;
    REQUIRE(times.node->op() == std::string_view("mul"));
    for (int64_t i = 0; i < shown.numel(); ++i) CHECK(y.data()[i] == h.data()[i] * shown.data()[i]);
  }
}

TEST_CASE("Writing values does not change a replay's record, and steps continue from the record") {
  const KeepLedger ledger;
  Network network;
  Replayed tape(network.loss());
  Replay &replay = tape.replay, without(to_text(tape.recording));
  const Recording kept = replay.run();
  without.run();
  const std::string bits = all_bits(kept);
  replay.keep_numbers();
  for (Replay* each : {&replay, &without}) {
    each->given(tape.place("w1")).data()[3] = Scalar(0.5);
    each->step(tape.place("b2"), Scalar(0.1));
    each->draw(true);
  }
  CHECK(all_bits(kept) == bits);
  CHECK(all_bits(replay.run()) == all_bits(without.run()));
  CHECK(all_bits(without.run()) != bits);
}

TEST_CASE("A loss of several numbers is weighted by backward's first gradient") {
  const KeepLedger ledger;
  const Tensor x = Tensor::of({1, 2}).requires_grad_();
  CHECK(Replayed(x * x, Tensor::of({10, -3})).replay.loss() == 10 * 1 - 3 * 4);
}

TEST_CASE("A replay keeps constants of integers integers") {
  const KeepLedger ledger;
  const Tensor x = Tensor::of({1., 2.}).requires_grad_();
  const Tensor whole = Tensor::of({3, 4}).set_kind(Kind::integer), other = Tensor::of({0.5, 1.});
  const auto [recording, replay] = Replayed(sum(x * whole * other));
  CHECK(replay.given(recording.ops[0].inputs[1]).kind() == Kind::integer);
  CHECK(replay.given(recording.ops[1].inputs[1]).kind() == Kind::floating);
}

TEST_CASE("Why a tape cannot be recomputed is one sentence") {
  const KeepLedger ledger;
  const Tensor x = Tensor::of({1, 2}).requires_grad_(), w = Tensor::of({3, 4});
  CHECK(why_not(sum(x * w)) == "no whole backward pass from this loss was kept");
  const auto walked = [](const Tensor& loss) {
    loss.backward({}, true);
    return loss;
  };
  CHECK(why_not(walked(sum(x * w))).empty());
  {
    const KeepLedger off(false);
    const int line = __LINE__ + 1;
    const Tensor y = sum(x * w);
    y.backward();
    CHECK(why_not(y) ==
        text_of("backward() has run, and what it computed was not kept: add "
                "set_ledger(true) above the first op, at replay_test.cpp:",
            line));
  }
  CHECK(why_not(walked(sum(checkpoint([](Tensor x) { return x * 2; }, x)))) ==
      "#1 checkpoint cannot be recomputed from its inputs alone");
  const Tensor hooked = x * w;
  hooked.register_hook([](const Tensor& g) { return g * 2; });
  CHECK(why_not(walked(sum(hooked))) == "a hook, which the page cannot run, changes gradients");
  const Tensor most = Tensor::ones({1999, 2000}), large = Tensor::ones({2001, 2000}),
               row = Tensor::ones({2000}).requires_grad_();
  CHECK(why_not(walked(sum(row * most))).empty());
  CHECK(why_not(walked(sum(row * large))) ==
      "its leaves and constants have 4004000 numbers, and a page keeps at most 4000000 of them");
}

TEST_CASE("Text that no replay wrote is refused in one sentence") {
  for (const char* text :
      {"", "op cube 0 0\n", "leaf 1 2 AAAA none\n", "nothing\n", "made\nop add 7 0\n", "leaf 1 1 AAA? none\n"}) {
    INFO(text);
    CHECK_THAT(message<ValueError>([&] { Replay("replay 4\n" + std::string(text)); }), !ContainsSubstring("versions"));
  }
  CHECK_THROWS_WITH(Replay("replay 1\nleaf 0 AACAPw== none\n"), ContainsSubstring("different versions"));
}
