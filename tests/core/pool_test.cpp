#include <cstring>

#include "core/memory/pool.hpp"
#include "core/memory/storage.hpp"
#include "tests/support/message.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/support/test.hpp"

TEST_CASE("blocks over 1 KiB are aligned to a cache line, and large ones to a huge page") {
  const auto alignment = [](size_t bytes) {
    void* block = pool_allocate(bytes);
    std::memset(block, 1, bytes);
    const auto address = reinterpret_cast<uintptr_t>(block);
    pool_release(block, bytes);
    return address & -address;
  };
  for (size_t bytes : {1025, 5000, 1'000'000}) CHECK(alignment(bytes) >= 64);
  CHECK(alignment(3'000'000) >= 2 << 20);
}

TEST_CASE("no block reaches into another") {
  for (const size_t bytes : {1, 64, 1024, 1025, 1100, 2049, 5000}) {
    std::vector<unsigned char*> blocks;
    for (int i = 0; i < 2000; ++i) {
      blocks.push_back(static_cast<unsigned char*>(pool_allocate(bytes)));
      std::memset(blocks.back(), i % 251, bytes);
    }
    bool whole = true;
    for (int i = 0; i < 2000; ++i) {
      whole = whole && blocks[i][0] == i % 251 && blocks[i][bytes - 1] == i % 251;
      pool_release(blocks[i], bytes);
    }
    CAPTURE(bytes);
    CHECK(whole);
  }
}

TEST_CASE("a block has the requested bytes, at most an eighth more, in whole cache lines") {
  for (const size_t bytes : {1025, 1028, 2049, 16385, 100'001, (2 << 20) + 1, (3 << 20) + 1}) {
    const int64_t before = memory_stats().in_use;
    void* block = pool_allocate(bytes);
    const auto size = size_t(memory_stats().in_use - before);
    pool_release(block, bytes);
    CAPTURE(bytes, size);
    CHECK(size >= bytes);
    CHECK(size <= bytes + (bytes < 2 << 20 ? bytes / 8 + 64 : 2 << 20));
    CHECK(size % 64 == 0);
  }
}

#ifndef SANITIZED
TEST_CASE("The last block released is the next one of its size to be reused") {
  constexpr size_t bytes = size_t{1} << 20;
  void *const first = pool_allocate(bytes), *const second = pool_allocate(bytes);
  pool_release(first, bytes);
  pool_release(second, bytes);
  CHECK(pool_allocate(bytes) == second);
  CHECK(pool_allocate(bytes) == first);
  pool_release(first, bytes);
  pool_release(second, bytes);
}

TEST_CASE("The pool frees the smallest block that suffices, or else the largest ones") {
  empty_cache();
  size_t unit = size_t{16} << 20;
  while (unit < size_t(memory_stats().most) / 8) unit *= 2;
  const auto cached = [&] { return double(memory_stats().cached) / double(unit); };
  const auto use = [&](std::initializer_list<size_t> units) {
    std::vector<std::pair<void*, size_t>> blocks;
    for (const size_t n : units) blocks.emplace_back(pool_allocate(n * unit), n * unit);
    for (const auto& [block, size] : blocks) pool_release(block, size);
  };
  use({4, 5, 6});  // at once: 15 units, so that 18.75 may be there
  CHECK(cached() == 15);
  use({7});  // 3.25 too many: 4 go
  CHECK(cached() == 5 + 6 + 7);
  use({10});  // 9.25 too many: 7 go, and 5 of the rest are enough
  CHECK(cached() == 6 + 10);
  use({4});  // 1.25 too many: 6 go
  CHECK(cached() == 10 + 4);
  empty_cache();
}

#endif

#ifndef SANITIZED  // sanitizers end the program instead
TEST_CASE("a tensor too large for memory is refused in a sentence, and nothing changes") {
  const MemoryStats before = memory_stats();
  std::string said;
  try {
    Tensor::empty({int64_t{1} << 22, int64_t{1} << 24});  // more than there are addresses
  } catch (const std::bad_alloc& error) {
    said = error.what();
  }
  CHECK(said.find("out of memory: a tensor of ") == 0);
  CHECK(said.find(" MiB is more than the system gives") != std::string::npos);
  CHECK(memory_stats().in_use == before.in_use);
  CHECK(memory_stats().peak == before.peak);
  CHECK(memory_stats().most == before.most);  // by which cached blocks are bounded
}
#endif

TEST_CASE("Bytes are counted by addresses of 32 bits and of 64, and refused beyond half of them") {
  constexpr int64_t gib = (int64_t{1} << 30) / int64_t{sizeof(Scalar)};  // elements
  const auto refused = [](const char* size) {
    return std::string("out of memory: a tensor of ") + size + " MiB is more than the system gives";
  };
  CHECK(bytes_of<uint32_t>(2 * gib - 1) == (uint32_t{1} << 31) - sizeof(Scalar));
  CHECK_ERROR(OutOfMemory, bytes_of<uint32_t>(2 * gib), refused("2048"));
  CHECK_ERROR(OutOfMemory, bytes_of<uint32_t>(4 * gib + 1), refused("4096"));  // wraps to 4
  CHECK(bytes_of<uint64_t>(4 * gib + 1) == (uint64_t{1} << 32) + sizeof(Scalar));
  CHECK_ERROR(OutOfMemory, bytes_of<uint64_t>(std::numeric_limits<int64_t>::max()), refused("17592186044415"));
}

TEST_CASE("The peak is counted again from reset_peak_memory on") {
  { const Tensor large = Tensor::empty({1'000'000}); }
  const MemoryStats before = memory_stats();
  CHECK(before.peak >= before.in_use + 4'000'000);
  CHECK(before.most >= before.peak);
  const Tensor held = Tensor::empty({100'000});
  reset_peak_memory();
  CHECK(memory_stats().peak == memory_stats().in_use);
  CHECK(memory_stats().most == before.most);
  const Tensor smaller = Tensor::empty({100'000});
  CHECK(memory_stats().peak == memory_stats().in_use);
  { const Tensor passing = Tensor::empty({500'000}); }
  CHECK(memory_stats().peak >= memory_stats().in_use + 2'000'000);
  CHECK(memory_stats().peak < before.peak);
}
