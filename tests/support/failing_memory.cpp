#include "tests/support/failing_memory.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

thread_local int64_t allocations_left = -1;  // negative: memory is there
std::atomic<int64_t> in_use = 0;             // allocations
thread_local bool for_good = false;          // else one allocation fails and the next is granted
thread_local bool has_failed = false;

void* from_system(size_t bytes, size_t alignment) noexcept {
  if (allocations_left == 0) {
    has_failed = true;
    if (!for_good) allocations_left = -1;
    return nullptr;
  }
  if (allocations_left > 0) --allocations_left;
  void* block = std::aligned_alloc(alignment, (bytes + alignment) / alignment * alignment);
  if (block) ++in_use;
  return block;
}

void to_system(void* block) noexcept {
  if (block) --in_use;
  std::free(block);
}

void* or_throw(void* block) {
  if (!block) throw std::bad_alloc();
  return block;
}

}

namespace stepgrad {

FailingMemory::FailingMemory(int64_t n, bool fails_for_good) {
  allocations_left = n, for_good = fails_for_good, has_failed = false;
}
bool FailingMemory::failed() const { return has_failed; }
FailingMemory::~FailingMemory() { allocations_left = -1; }

int64_t allocations_in_use() { return in_use; }

}

void* operator new(size_t bytes) { return or_throw(from_system(bytes, 16)); }
void* operator new(size_t bytes, std::align_val_t alignment) { return or_throw(from_system(bytes, size_t(alignment))); }
void* operator new(size_t bytes, const std::nothrow_t&) noexcept { return from_system(bytes, 16); }
void* operator new(size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return from_system(bytes, size_t(alignment));
}
void operator delete(void* block) noexcept { to_system(block); }
void operator delete(void* block, size_t) noexcept { to_system(block); }
void operator delete(void* block, std::align_val_t) noexcept { to_system(block); }
void operator delete(void* block, size_t, std::align_val_t) noexcept { to_system(block); }
