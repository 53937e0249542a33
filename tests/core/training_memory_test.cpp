// A long training does not grow.
#include "core/memory/pool.hpp"
#include "nn/nn.hpp"
#include "tests/support/test.hpp"

namespace {

struct Alive {
  int64_t nodes = live_nodes(), storages = live_storages();
  int64_t in_use = memory_stats().in_use, cached = memory_stats().cached;
};

}

TEST_CASE("a thousand training steps leave as much memory behind as the first few") {
  nn::PositionwiseFeedForward ffn(24, 96);
  nn::AdamW optimizer(ffn.parameters());
  const auto train = [&](int steps) {
    for (int i = 0; i < steps; ++i) {
      ffn.zero_grad();
      const Tensor x = Tensor::randn({2 + i % 3, 5, 24});
      sum(ffn(x)).backward();
      optimizer.step();
    }
    return Alive();
  };
  const Alive before = train(99);
  const Alive after = train(999);
  CHECK(after.nodes == before.nodes);
  CHECK(after.storages == before.storages);
  CHECK(after.in_use == before.in_use);
  CHECK(after.cached == before.cached);
}

TEST_CASE("a repeated step finds every large block that it needs in the pool") {
  empty_cache();
  reset_peak_memory();
  nn::PositionwiseFeedForward ffn(64, 256);
  const Tensor x = Tensor::randn({64, 32, 64});
  const auto step = [&] {
    for (const Tensor& p : ffn.parameters()) p.set_grad({});
    sum(ffn(x)).backward();
    const MemoryStats now = memory_stats();
    return now.in_use + now.cached;
  };
  const int64_t first = step();
  step();
  CHECK(step() == first);
}
