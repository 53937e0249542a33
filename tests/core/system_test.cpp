// What the pool and files ask of the system, which is asked through here.
#include <fcntl.h>
#include <unistd.h>

#include <new>
#include <thread>
#include <vector>

#include "core/files.hpp"
#include "core/memory/pool.hpp"
#include "core/tensor/tensor.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/failing_memory.hpp"
#include "tests/support/folder.hpp"

using namespace stepgrad;

namespace {

std::string flushes;  // and renames, in their order

}  // namespace

extern "C" int fsync(int file) {
  flushes += "fsync ";
  return fdatasync(file);
}
extern "C" int rename(const char* from, const char* to) noexcept {
  flushes += "rename ";
  return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

TEST_CASE("What the pool gives up, the system gets back") {
  empty_cache();
  Tensor::empty({1000});
  const int64_t before = allocations_in_use(), kept = memory_stats().kept;
  for (int64_t n = 1000; n < 100'000; n += 1000) Tensor::empty({n});  // the bound drives some out
  empty_cache();
  CHECK(allocations_in_use() <= before);
  CHECK(memory_stats().kept <= kept);
}

TEST_CASE("empty_cache loses no block if memory fails it") {
  std::vector<Tensor> tensors(20'000);
  const auto in_use_after = [&](int64_t allocations) {
    for (Tensor& tensor : tensors) tensor = Tensor::empty({1});
    tensors.assign(tensors.size(), {});
    try {
      const FailingMemory memory(allocations, true);
      empty_cache();
    } catch (const std::bad_alloc&) {
    }
    for (Tensor& tensor : tensors) tensor = Tensor::empty({1});
    return allocations_in_use();
  };
  const int64_t undisturbed = in_use_after(1000);
  for (int64_t n = 0; n < 16; ++n) CHECK(in_use_after(n) <= undisturbed);
}

TEST_CASE("A block that there is no memory to note down as kept is given back") {
  empty_cache();
  Tensor large = Tensor::empty({1'000'000});
  const int64_t before = allocations_in_use();
  {
    const FailingMemory memory(0, true);
    large = {};
  }
  CHECK(allocations_in_use() < before);
}

TEST_CASE("A file is flushed before it takes its name, and the folder afterwards") {
  const Folder folder;
  flushes.clear();
  write_file(folder.file("file"), "text");
  CHECK(flushes == "fsync rename fsync ");
}

TEST_CASE("Threads whose tensors outlive their blocks leave nothing behind") {
  struct Last {
    Tensor tensor;
    ~Last() { const Tensor after = Tensor::full({3}, 2); }
  };
  const auto run = [](int threads) {
    for (int i = 0; i < threads; ++i) {
      std::thread([] {
        thread_local Last last;
        last.tensor = {};  // made before the thread's first tensor, it dies after its blocks
        std::vector<Tensor> many(50);
        for (Tensor& each : many) each = Tensor::ones({3});
        last.tensor = many[0];
      }).join();
    }
    return allocations_in_use();
  };
  const int64_t before = run(100);
  CHECK(run(1000) <= before + 1);
}
