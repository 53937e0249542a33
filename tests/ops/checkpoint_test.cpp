#include <atomic>
#include <thread>

#include "core/memory/storage.hpp"
#include "nn/nn.hpp"
#include "tests/support/test.hpp"

const OpExample of_checkpoint(
    "checkpoint", [](Tensor x) { return checkpoint(sigmoid, x); }, "a.sigmoid()", Shapes{{2, 3}});

namespace {

// The gradients of x and of all parameters, by f under the same random numbers.
std::vector<Values> gradients(auto& module, const Tensor& x, auto f) {
  module.zero_grad();
  x.set_grad({});
  manual_seed(3);
  const Tensor y = f(x);
  y.backward(Tensor::full(y.shape(), Scalar(0.7)));
  std::vector<Values> all{y.to_vector(), x.grad().to_vector()};
  for (const Tensor& p : module.parameters()) all.push_back(p.grad().to_vector());
  all.push_back({Scalar(random_state().call)});
  return all;
}

}

TEST_CASE("checkpoint gives the same value, gradients and random numbers bit by bit") {
  nn::PositionwiseFeedForward ffn(6, 20, Scalar(0.5));
  const Tensor x = leaf({3, 4, 6});
  const auto plain = gradients(ffn, x, [&](Tensor x) { return ffn(ffn(x)); });
  const auto twice = gradients(ffn, x, [&](Tensor x) { return checkpoint(ffn, checkpoint(ffn, x)); });
  const auto nested =
      gradients(ffn, x, [&](Tensor x) { return checkpoint([&](Tensor x) { return checkpoint(ffn, ffn(x)); }, x); });
  CHECK(twice == plain);
  CHECK(nested == plain);
}

// Unlike PyTorch 1.13's checkpoint, which sets the state of all threads.
TEST_CASE("A checkpoint repeats its draws even if another thread drew meanwhile") {
  const auto dropped = [](Tensor x) { return dropout_mask(x, Scalar(0.5)) * x * Tensor::rand({8}); };
  std::atomic<bool> done = false;
  std::thread other([&] {
    while (!done) Tensor::rand({2});
  });
  int64_t wrong = 0;
  for (int round = 0; round < 2000; ++round) {
    const Tensor x = Tensor::ones({8}).requires_grad_();
    const Tensor y = checkpoint([&](Tensor x) { return checkpoint(dropped, dropped(x)); }, x);
    sum(y).backward();
    wrong += x.grad().to_vector() != y.to_vector();  // both are masks times random numbers
  }
  done = true;
  other.join();
  CHECK(wrong == 0);
}

TEST_CASE("While a checkpoint repeats its draws, other threads' draws are unaffected") {
  manual_seed(9);
  const Tensor first = Tensor::rand({4}), second = Tensor::rand({4});
  const Tensor x = leaf({4});
  manual_seed(9);
  const Tensor y = checkpoint(
      [](Tensor x) {
        const Tensor once = dropout_mask(x, Scalar(0.5));
        manual_seed(9);  // the same mask twice
        return x * once * dropout_mask(x, Scalar(0.5));
      },
      x);
  manual_seed(9);
  Tensor::rand({4});
  sum(y).backward();
  CHECK(Tensor::rand({4}).to_vector() == second.to_vector());
  CHECK((x.detach() * x.grad()).to_vector() == y.to_vector());
}

TEST_CASE("A function that draws more the second time is refused") {
  const Tensor x = leaf({2});
  int calls = 0;
  const auto f = [&calls](Tensor x) {
    for (int i = 0; i < calls; ++i) x = x * dropout_mask(x, Scalar(0.5));
    ++calls;
    return x;
  };
  const Tensor y = checkpoint(f, x);
  CHECK_ERROR(ValueError, sum(y).backward(), "random numbers are to be drawn again, of 0 tensors, and more are drawn");
  Tensor::rand({2});  // drawn as ever
}

TEST_CASE("checkpoint keeps only the input on the tape, and less memory") {
  nn::PositionwiseFeedForward ffn(8, 64, Scalar(0.5));
  const Tensor x = Tensor::randn({16, 8});
  const int64_t before = live_storages(), nodes = live_nodes();
  const Tensor plain = ffn(x);
  const int64_t plainly = live_storages() - before, plain_nodes = live_nodes() - nodes;
  const Tensor y = checkpoint(ffn, x);
  CHECK(live_nodes() - nodes - plain_nodes == 1);
  CHECK(live_storages() - before - plainly == 1);  // y itself
  CHECK(plainly > 3);
}

TEST_CASE("A checkpoint keeps a copy of its module: later modes do not change it") {
  nn::PositionwiseFeedForward ffn(4, 8, Scalar(0.5));
  const Tensor x = leaf({2, 4});
  manual_seed(5);
  const Tensor plain = ffn(x);
  plain.sum().backward();
  const Values expected = x.grad().to_vector();
  x.set_grad({});
  manual_seed(5);
  const Tensor y = checkpoint(ffn, x);
  ffn.eval();
  y.sum().backward();
  CHECK(x.grad().to_vector() == expected);
}

TEST_CASE("If f throws, the random state is unchanged, and a changed input is noticed") {
  const Tensor x = leaf({2}), y = x * 2;
  bool failing = false;
  const Tensor z = checkpoint(
      [&](Tensor x) {
        check<ValueError>(!failing, "failed");
        return x * dropout_mask(x, Scalar(0.5));
      },
      y);
  failing = true;
  const uint64_t calls = random_state().call;
  CHECK_THROWS_AS(z.sum().backward(), ValueError);
  CHECK(random_state().call == calls);
  const Tensor late = checkpoint(sigmoid, y);
  y.increment_version();
  CHECK_THROWS_AS(late.sum().backward(), TapeError);
}

TEST_CASE("A checkpointed function may use leaves, but no other tensor with a gradient") {
  const Tensor x = leaf({2}), made = x * 2;
  const Tensor y = checkpoint([=](Tensor x) { return x * made; }, x);
  const std::string error = message<TapeError>([&] { y.sum().backward(); });
  CHECK(error.ends_with("has made, and that is not its input"));
}

TEST_CASE("What is recomputed is told of the fusing and rounding that there were, not of those around backward") {
  for (const bool on : {true, false}) {
    std::vector<bool> seen;
    const Tensor x = leaf({2});
    const auto f = [&](Tensor x) { return seen.push_back(fused_ops() == on && !modes.cast == !on), x * 2; };
    Tensor y;
    {
      const FusedOps fused(on);
      const Autocast cast(on ? Cast(half) : nullptr);
      y = checkpoint(f, x);
    }
    const FusedOps fused(!on);
    const Autocast cast(on ? nullptr : Cast(half));
    sum(y).backward();
    CHECK(seen == std::vector<bool>{true, true});
  }
}
