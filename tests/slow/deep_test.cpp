// Tapes that are millions of ops deep, on a stack of 256 kB: nothing recurses, neither the backward
// pass nor the destructors.
#include <pthread.h>

#include <functional>

#include "ops/ops.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/sanitized.hpp"

using namespace stepgrad;

namespace {

// An op of the chain takes about 300 bytes: ten million are 3 GB, and sanitizers multiply that.
#ifdef SANITIZED
constexpr int depth = 1'000'000;
#else
constexpr int depth = 10'000'000;
#endif

void on_a_small_stack(std::function<void()> f) {
  pthread_attr_t small;
  pthread_attr_init(&small);
  REQUIRE(pthread_attr_setstacksize(&small, 256 * 1024) == 0);
  pthread_t thread;
  const auto run = [](void* f) -> void* {
    (*static_cast<std::function<void()>*>(f))();
    return nullptr;
  };
  const int error = pthread_create(&thread, &small, run, &f);
  if (!error) pthread_join(thread, nullptr);
  pthread_attr_destroy(&small);
  REQUIRE(error == 0);  // not sooner: f has assertions of its own
}

Tensor chain(Tensor y, int ops) {
  while (ops-- > 0) y = -std::move(y);
  return y;
}

}

TEST_CASE("A chain of ten million ops is recorded, walked and destroyed on a small stack") {
  on_a_small_stack([] {
    const int64_t nodes = live_nodes(), storages = live_storages();
    {
      const Tensor x = Tensor::ones({1}).requires_grad_();
      Tensor y = chain(x, depth);
      CHECK(live_nodes() == nodes + 1 + depth);
      y.backward();
      CHECK(x.grad().item() == (depth % 2 ? -1 : 1));
      y = {};
      CHECK(live_nodes() == nodes + 1);
    }
    CHECK(live_nodes() == nodes);
    CHECK(live_storages() == storages);
  });
}

TEST_CASE("A deep tape without a backward pass is destroyed, also through a moved handle") {
  on_a_small_stack([] {
    const int64_t nodes = live_nodes();
    const Tensor x = Tensor::ones({1}).requires_grad_();
    { const Tensor y = chain(x, 1'000'000); }
    {
      Tensor y = chain(x, 1'000'000);
      const Tensor other = std::move(y);
    }
    Tensor y = chain(x, 1'000'000);
    y = y.detach();
    CHECK(live_nodes() == nodes + 1);
  });
}

TEST_CASE("A tape that is wide and deep, a ladder of a million rungs, is walked and destroyed") {
  on_a_small_stack([] {
    const int64_t nodes = live_nodes();
    {
      const Tensor x = Tensor::ones({1}).requires_grad_();
      Tensor left = x, right = x;
      for (int rung = 0; rung < 250'000; ++rung) {
        const Tensor sum = left + right, difference = left - right;
        left = sum - difference, right = sum + difference;  // 2·right, 2·left
        left = left * Scalar(0.5), right = right * Scalar(0.5);
      }
      (left + right).backward();
      CHECK(x.grad().item() == 2);
    }
    CHECK(live_nodes() == nodes);
  });
}

TEST_CASE("A million ops on one tensor are walked and destroyed") {
  on_a_small_stack([] {
    const int64_t nodes = live_nodes();
    {
      const Tensor x = Tensor::ones({1}).requires_grad_();
      Tensor total = Tensor::zeros({1});
      for (int i = 0; i < 500'000; ++i) total = std::move(total) + -x;
      total.backward();
      CHECK(x.grad().item() == -500'000);
    }
    CHECK(live_nodes() == nodes);
  });
}
