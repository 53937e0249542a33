// System calls of the pool and of files, intercepted here.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <new>
#include <thread>

#include "core/files.hpp"
#include "core/memory/pool.hpp"
#include "tests/support/failing_memory.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/test.hpp"

namespace fs = std::filesystem;

namespace {

std::string* flushes = nullptr;  // and renames, in their order, if somebody wants to know
char last_renamed[4096];         // an array, for memory may fail
int interruptions = 0;           // of reads and writes: each second one does a byte
bool ended = false;              // reads and writes do nothing
int no_flush = 0;                // why nothing is flushed

template <class Value>
struct Set {
  Set(Value& place, Value value) : place(place) { place = value; }
  ~Set() { place = {}; }
  Value& place;
};

// What of `size` bytes the system does, if it is disturbed; -1: nothing, for a signal came.
ssize_t disturbed(size_t size) {
  if (--interruptions % 2 == 0) return std::min<ssize_t>(size, 1);
  errno = EINTR;
  return -1;
}

}

extern "C" ssize_t write(int file, const void* bytes, size_t size) {
  if (ended) return 0;
  const ssize_t n = interruptions > 0 ? disturbed(size) : static_cast<ssize_t>(size);
  return n < 0 ? n : syscall(SYS_write, file, bytes, n);
}
extern "C" ssize_t read(int file, void* bytes, size_t size) {
  if (ended) return 0;
  const ssize_t n = interruptions > 0 ? disturbed(size) : static_cast<ssize_t>(size);
  return n < 0 ? n : syscall(SYS_read, file, bytes, n);
}

extern "C" int fsync(int file) {
  struct stat what;
  fstat(file, &what);
  if (flushes) *flushes += S_ISDIR(what.st_mode) ? "folder " : "file ";
  errno = no_flush;
  return errno ? -1 : fdatasync(file);
}
extern "C" int rename(const char* from, const char* to) noexcept {
  if (flushes) *flushes += "rename ";
  std::snprintf(last_renamed, sizeof last_renamed, "%s", from);
  return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

TEST_CASE("Memory that the pool frees goes back to the system") {
  empty_cache();
  Tensor::empty({1000});
  const int64_t before = allocations_in_use(), cached = memory_stats().cached;
  for (int64_t n = 1000; n < 100'000; n += 1000) Tensor::empty({n});  // the bound drives some out
  empty_cache();
  CHECK(allocations_in_use() <= before);
  CHECK(memory_stats().cached <= cached);
}

TEST_CASE("empty_cache loses no block if memory fails it") {
  Tensors tensors(20'000);
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

TEST_CASE("A block that cannot be cached for lack of memory is freed") {
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
  std::string order;
  const Set noted(flushes, &order);
  write_file(folder.file("file"), "text");
  CHECK(order == "file rename folder ");
}

TEST_CASE("A file is read and written whole despite signals and single bytes") {
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

TEST_CASE("What killed saves left under the next names is neither written over nor in the way") {
  const Folder folder;
  const std::string path = folder.file("file");
  write_file(path, "old");
  const std::string name = last_renamed, before = name.substr(0, name.rfind('-') + 1);
  const int number = std::stoi(name.substr(before.size()));
  const auto next = [&](int n) { return before + std::to_string(number + n) + ".part"; };
  for (const int n : {1, 2}) std::ofstream(next(n)) << "half";
  write_file(path, "new");
  CHECK(last_renamed == next(3));
  CHECK(read_file(path) == "new");
  for (const int n : {1, 2}) CHECK(read_file(next(n)) == "half");
}

TEST_CASE("A file that cannot be flushed is not kept") {
  const Folder folder;
  const std::string path = folder.file("file");
  write_file(path, "old");
  {
    const Set broken(no_flush, EIO);
    CHECK_ERROR(FileError, write_file(path, "new"), path + ": cannot be written");
  }
  CHECK(read_file(path) == "old");
  CHECK(std::distance(fs::directory_iterator(folder.path), {}) == 1);
}

TEST_CASE("A file that ends while it is read, or takes no byte, is refused") {
  const Folder folder;
  const std::string path = folder.file("file");
  write_file(path, "old");
  {
    const Set cut(ended, true);
    CHECK_ERROR(FileError, read_file(path), path + ": cannot be read");
    CHECK_ERROR(FileError, write_file(path, "new"), path + ": cannot be written");
  }
  CHECK(read_file(path) == "old");
}

TEST_CASE("A file too large for memory is named, with its size") {
  const Folder folder;
  const std::string path = folder.file("file");
  std::string said;
  for (const auto& [bytes, size] : {std::pair(5000, "5000 bytes"), {3 << 20, "3 MiB"}}) {
    write_file(path, std::string(bytes, 'x'));
    try {
      const FailingMemory memory(0, false);
      read_file(path);
    } catch (const std::bad_alloc& error) {
      said = error.what();
    }
    CHECK(said == "out of memory: " + path + ", a file of " + size + " is more than the system gives");
  }
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
        Tensors many(50);
        for (Tensor& each : many) each = Tensor::ones({3});
        last.tensor = many[0];
      }).join();
    }
    return allocations_in_use();
  };
  const int64_t before = run(100);
  CHECK(run(1000) <= before + 1);
}
