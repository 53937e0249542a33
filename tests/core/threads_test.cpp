// Two threads at work on tapes of their own and on leaves that they share. What they would do to
// each other by accident, ThreadSanitizer sees.
#include <atomic>
#include <stdexcept>
#include <thread>

#include "core/kernels/threads.hpp"
#include "nn/positionwise_feed_forward.hpp"
#include "tests/support/test.hpp"

namespace {

constexpr int rounds = 200;

void in_two_threads(auto f) {
  std::thread other(f, 1);
  f(2);
  other.join();
}

}

TEST_CASE("There are as many threads as were asked for") {
  const int before = get_num_threads();
  if (before == 1) return;  // a serial build, or one core
  for (const auto& [asked, there] : {std::pair{3, 3}, {1, 1}, {2, 2}}) {
    set_num_threads(asked);
    CHECK(get_num_threads() == there);
  }
  set_num_threads(1'000'000);
  CHECK(get_num_threads() < 100'000);
  CHECK(sum(matmul(Tensor::ones({300, 300}), Tensor::ones({300, 300}))).item() == 27'000'000);
  set_num_threads(before);
}

TEST_CASE("Two threads add to the gradients of leaves that they share") {
  const Tensor w = parameter({{1, 2}, {3, 4}}).set_name("w");
  const Tensor b = parameter({5, 6});
  in_two_threads([&](int thread) {
    const Tensor x = Tensor::full({1, 2}, Scalar(thread));
    for (int i = 0; i < rounds; ++i) {
      const Tensor same = w.reshape({4}).view({2, 2}), off_tape = w.detach();
      sum(matmul(x, same) * off_tape.clone() + b).backward();
    }
  });
  CHECK(w.grad().to_vector() ==
      Values{3 * 4 * rounds, 3 * 6 * rounds,  //
          3 * 4 * rounds, 3 * 6 * rounds});
  CHECK(b.grad().to_vector() == Values{2 * 2 * rounds, 2 * 2 * rounds});
}

TEST_CASE("Two threads share a module, draw numbers and list their tapes at the same time") {
  manual_seed(0);
  nn::PositionwiseFeedForward ffn(4, 8);
  in_two_threads([&](int) {
    for (int i = 0; i < rounds; ++i) {
      const Tensor loss = mean(ffn(Tensor::randn({2, 4})));
      const std::string table = tape(loss);
      if (i % 2) loss.backward();
    }
  });
  for (const Tensor& p : ffn.parameters()) CHECK(p.grad().shape() == p.shape());
  CHECK(random_state().call == 2 + 2 * rounds * 2);  // the weights; inputs and masks
}

TEST_CASE("Observers come and go while two threads compute, read numbers and list their tapes") {
  const KeepLedger restored(false);
  const Tensor w = parameter({{1, 2}, {3, 4}}), x = Tensor::ones({2, 2});
  in_two_threads([&](int thread) {
    for (int i = 0; i < rounds; ++i) {
      if (thread == 1) set_ledger(i % 3 == 1), set_detect_nan(i % 4 == 1);
      const Tensor y = matmul(w, x), loss = sum(y * Scalar(x.to_vector()[0]));
      y.register_hook([&](const Tensor& dY) { return dY * Scalar(thread); });
      const std::string table = tape(loss);
      loss.backward();
      if (loss.item() != 20) throw std::logic_error("another loss");
    }
    if (thread == 1) set_ledger(false), set_detect_nan(false);
  });
  CHECK(w.grad().to_vector() == Values(4, 2 * (1 + 2) * rounds));
}

TEST_CASE("A team waits until each of its threads is there, round after round") {
  struct Rounds {
    std::atomic<int> of[4] = {}, wrong{0}, size{0};
  } rounds;
  const auto work = [](const void* context, int64_t me, int64_t size) {
    Rounds& all = *static_cast<Rounds*>(const_cast<void*>(context));
    all.size = int(size);
    for (int round = 1; round <= 1000; ++round) {
      ++all.of[me];
      kernels::wait_for_team();
      for (int64_t other = 0; other < size; ++other) all.wrong += all.of[other] != round;
      kernels::wait_for_team();
    }
    all.wrong += kernels::threads_to_share() != 1;
  };
  for (const int threads : {2, 4, 3, 4}) {
    for (std::atomic<int>& count : rounds.of) count = 0;
    kernels::run_team(threads, work, &rounds);
    CHECK(rounds.wrong == 0);
    CHECK(rounds.size <= threads);
    CHECK((rounds.size > 1 || get_num_threads() == 1));
  }
  in_two_threads([&](int) {
    Rounds own;
    kernels::run_team(2, work, &own);
    if (own.wrong != 0) ++rounds.wrong;
  });
  CHECK(rounds.wrong == 0);
}
