// Threads beside what only POSIX has: forks, limits, a clock of processors.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <thread>

#include "core/kernels/threads.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/support/test.hpp"

#ifndef SANITIZED
TEST_CASE("Kernels use the threads that there are, and say so, where the system provides no more") {
  const int before = get_num_threads();
  if (before == 1) return;
  const Tensor x = Tensor::full({300, 300}, 2), y = matmul(x, x);
  rlimit all;
  getrlimit(RLIMIT_AS, &all);
  rlim_t pages = 0;                                           // mapped so far
  if (!(std::ifstream("/proc/self/statm") >> pages)) return;  // macOS sets no such limit
  const rlim_t stacks = 100 << 20;                            // of a dozen threads
  const rlimit little{pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + stacks, all.rlim_max};
  std::ostringstream said;
  auto* const cerr = std::cerr.rdbuf(said.rdbuf());
  setrlimit(RLIMIT_AS, &little);
  set_num_threads(64);
  const Tensor again = matmul(x, x);
  setrlimit(RLIMIT_AS, &all);
  std::cerr.rdbuf(cerr);
  set_num_threads(before);
  CHECK_THAT(said.str(), ContainsSubstring(" threads instead of 64: "));
  CHECK(std::equal(y.data(), y.data() + y.numel(), again.data()));
}
#endif

TEST_CASE("Threads that wait for work leave their cores to other programs") {
  CHECK(sum(Tensor::ones({1024, 1024})).item() == 1024 * 1024);
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const std::clock_t before = std::clock();
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  CHECK(std::clock() - before < CLOCKS_PER_SEC / 100);
}

// Whether f() is true in a child of this process, which has 20 seconds for it.
static bool holds_in_child(auto f) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    _exit(f() ? 0 : 1);
  }
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static auto threads_alive() {  // 0 but on Linux
  std::error_code none;
  return std::distance(
      std::filesystem::directory_iterator("/proc/self/task", none), std::filesystem::directory_iterator());
}

TEST_CASE("A forked child computes the same as its parent") {
  const auto gradient = [] {
    manual_seed(3);
    const Tensor w = Tensor::randn({300, 300}).requires_grad_();
    sum(tanh(matmul(Tensor::randn({200, 300}), w))).backward();
    return w.grad().to_vector();
  };
  const Values expected = gradient();
  const int threads = get_num_threads();
  CHECK(holds_in_child([&] { return gradient() == expected; }));
  CHECK(holds_in_child([&] {
    set_num_threads(4);
    return gradient() == expected && get_num_threads() == 1;
  }));
  CHECK(holds_in_child([&] {  // in whose threads that is so, too
    bool holds = false;
    std::thread([&] {
      const auto before = threads_alive();
      holds = gradient() == expected && get_num_threads() == 1 && threads_alive() == before;
    }).join();
    return holds && holds_in_child([&] { return gradient() == expected; });
  }));
  CHECK(gradient() == expected);
  CHECK(get_num_threads() == threads);
}

#ifndef SANITIZED  // AddressSanitizer before LLVM 18 leaves its own locks taken in a child
TEST_CASE("A child that is forked while other threads are at work finds every lock free") {
  const Tensor w = parameter({1, 2});
  const auto work = [&](int i) {  // every lock: of the tape, passes, names, numbers and memory
    const Tensor x = Tensor::randn({64, 2}).set_name("x" + std::to_string(i % 50));
    const Tensor y = Tensor::empty({10'000 + i % 7 * 1000}), z = y.reshape({y.numel()});
    sum(x * w).backward();
  };
  work(0);
  std::atomic<bool> done = false;
  std::vector<std::thread> busy;
  for (int t = 0; t < 3; ++t) {
    busy.emplace_back([&, t] {
      for (int i = t; !done; i += 3) work(i);
    });
  }
  for (int fork = 0; fork < 100; ++fork) {
    const bool holds = holds_in_child([&] {
      for (int i = 0; i < 20; ++i) work(i);
      w.set_grad({});
      sum(w * w).backward();  // what was on its way to w in other threads is forgotten
      return w.grad().to_vector() == Values{2, 4} && the_tape.visiting == nullptr;
    });
    CAPTURE(fork);
    REQUIRE(holds);
  }
  done = true;
  for (std::thread& thread : busy) thread.join();
}
#endif

TEST_CASE("A fork waits for no backward pass, and keeps the one it is called in") {
  const Tensor w = parameter({3});
  std::atomic<bool> in_hook = false, done = false;
  std::thread other([&] {
    const Tensor y = w * w;
    y.register_hook([&](const Tensor&) {
      in_hook = true;
      in_hook.notify_one();
      done.wait(false);
      return Tensor();
    });
    sum(y).backward();
  });
  in_hook.wait(false);
  const auto gradient = [&] {
    const EnableGrad as_outside_of_a_pass;
    w.set_grad({});
    sum(w * w).backward();
    return w.grad().item();
  };
  CHECK(holds_in_child([&] { return gradient() == 6; }));
  done = true;
  done.notify_one();
  other.join();
  const Tensor y = w * 2;
  bool holds = false;
  y.register_hook([&](const Tensor&) {
    holds = holds_in_child([&] { return gradient() == 6; });
    return Tensor();
  });
  w.set_grad({});
  sum(y).backward();
  CHECK(holds);
  CHECK(w.grad().item() == 2);
}
