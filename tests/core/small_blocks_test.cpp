#include "core/memory/small_blocks.hpp"

#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

#include <barrier>
#include <cstring>
#include <set>
#include <thread>

#include "core/memory/pool.hpp"
#include "core/tensor/tensor.hpp"
#include "ops/ops.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/sanitized.hpp"

using namespace stepgrad;

namespace {

// Dies after its thread's small blocks, if it is made before the thread's first tensor.
struct Last {
  Tensor tensor;
  bool* as_it_was;
  ~Last() {
    const Tensor after = Tensor::full({3}, 2), of_new_size = Tensor::full({243}, 4);
    *as_it_was = tensor.data()[2] == 1 && after.data()[2] == 2 && of_new_size.data()[242] == 4;
  }
};

}

TEST_CASE("a tensor may outlive its thread's blocks, and another be made then") {
  for (int i = 0; i < 3; ++i) {
    bool as_it_was = false;
    std::thread([&] {
      thread_local Last last;
      last.as_it_was = &as_it_was;
      last.tensor = Tensor::ones({3});
    }).join();
    CHECK(as_it_was);
  }
}

TEST_CASE("threads make small tensors, and release each other's, at the same time") {
  const auto chain = [](int n) {
    Tensors tensors;
    for (int i = 0; i < n; ++i) tensors.push_back(Tensor::full({1}, Scalar(i)));
    return tensors;
  };
  for (int round = 0; round < 5; ++round) {
    const Tensors kept = chain(6'000);
    Tensors given = chain(6'000);
    Tensors made;
    std::thread other([&, given = std::move(given)]() mutable {
      given.clear();
      made = chain(6'000);
    });
    chain(6'000);
    other.join();
    for (int i = 0; i < 6'000; ++i) {
      REQUIRE(kept[i].data()[0] == i);
      REQUIRE(made[i].data()[0] == i);
    }
  }
}

#if defined(__GLIBC__) && !defined(SANITIZED)
#if __GLIBC_PREREQ(2, 33)
TEST_CASE("empty_cache gives back the memory of a long tape") {
  const auto allocated = [] { return mallinfo2().uordblks + mallinfo2().hblkhd; };
  empty_cache();
  const size_t before = allocated();
  {
    Tensor y = Tensor::ones({1}).requires_grad_();
    for (int i = 0; i < 30'000; ++i) y = -y;
    y.backward();
  }
  CHECK(allocated() > before + 5'000'000);
  empty_cache();
  CHECK(allocated() < before + 500'000);
}
#endif
#endif

TEST_CASE("empty_cache leaves blocks beside freed tensors alone") {
  Tensors kept;
  std::set<const void*> places;
  for (int i = 0; i < 5'000; ++i) {
    const Tensor gone = Tensor::full({1}, -1);
    if (i % 100 == 0) places.insert(gone.data());
    kept.push_back(Tensor::full({1}, Scalar(i)));
    const Tensor gone_too = Tensor::full({100}, -1);
  }
  empty_cache();
  constexpr size_t size = 2 * cache_line;  // of a storage with a number, and of a handle
  std::vector<void*> others;
  size_t again = 0;
  for (int i = 0; i < 40'000; ++i) {
    others.push_back(std::memset(pool_allocate(size), 0xff, size));
    const auto place = places.lower_bound(others.back());
    again += place != places.end() && *place < static_cast<char*>(others.back()) + size;
  }
  for (void* block : others) pool_release(block, size);
  if (keep_blocks) CHECK(again > 0);
  for (int i = 0; i < 5'000; ++i) REQUIRE(kept[i].data()[0] == i);
}

TEST_CASE("empty_cache keeps a slab as long as one block of it is in use") {
  empty_cache();
  Tensors all;
  for (int i = 0; i < 5'000; ++i) all.push_back(Tensor::full({1}, Scalar(i)));
  const Tensor one = all[2'500];
  all.clear();
  empty_cache();
  for (int i = 0; i < 20'000; ++i) all.push_back(Tensor::full({1}, -2));
  for (const Tensor& other : all) REQUIRE(other.data() != one.data());
  CHECK(one.item() == 2'500);
}

TEST_CASE("Blocks that one thread releases are reused by the threads that allocate them") {
  if (!keep_blocks) return;
  std::set<const Scalar*> places;
  const int at_once = 10'000;
  Tensors tensors;
  std::barrier turn(2);
  std::thread other([&] {
    for (int round = 0; round < 20; ++round) {
      turn.arrive_and_wait();
      tensors.clear();
      turn.arrive_and_wait();
    }
  });
  for (int round = 0; round < 20; ++round) {
    for (int i = 0; i < at_once; ++i) {
      tensors.push_back(Tensor::empty({1}));
      places.insert(tensors.back().data());
    }
    turn.arrive_and_wait();
    turn.arrive_and_wait();
  }
  other.join();
  CHECK(places.size() < 6 * at_once);
}
