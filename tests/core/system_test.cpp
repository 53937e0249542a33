// What the pool and files ask of the system, which is asked through here.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
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

std::string flushes;    // and renames, in their order
int interruptions = 0;  // of reads and writes: each second one does a byte

// What of `size` bytes the system does, if it is disturbed; -1: nothing, for a signal came.
ssize_t disturbed(size_t size) {
  if (--interruptions % 2 == 0) return std::min<ssize_t>(size, 1);
  errno = EINTR;
  return -1;
}

}  // namespace

extern "C" ssize_t write(int file, const void* bytes, size_t size) {
  const ssize_t n = interruptions > 0 ? disturbed(size) : static_cast<ssize_t>(size);
  return n < 0 ? n : syscall(SYS_write, file, bytes, n);
}
extern "C" ssize_t read(int file, void* bytes, size_t size) {
  const ssize_t n = interruptions > 0 ? disturbed(size) : static_cast<ssize_t>(size);
  return n < 0 ? n : syscall(SYS_read, file, bytes, n);
}

extern "C" int fsync(int file) {
  struct stat what;
  fstat(file, &what);
  flushes += S_ISDIR(what.st_mode) ? "folder " : "file ";
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
  CHECK(flushes == "file rename folder ");
}

TEST_CASE("A file that signals interrupt, and that goes byte by byte, is read and written whole") {
  const Folder folder;
  const std::string text = "all of it";
  interruptions = 7;
  write_file(folder.file("file"), text);
  CHECK(interruptions == 0);
  CHECK(read_file(folder.file("file")) == text);
  interruptions = 7;
  CHECK(read_file(folder.file("file")) == text);
  CHECK(interruptions == 0);
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
