#include "core/memory/pool.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <new>

#include "core/kernels/huge_pages.hpp"
#include "core/memory/locks.hpp"

namespace stepgrad {

bool poison_memory = false;

namespace {

constexpr size_t cache_line = 64, most_of_small = 1024;  // bytes

void* checked(void* block, size_t size) {
  if (!block) throw OutOfMemory(size);
  return block;
}

// Sizes are rounded up in steps of an eighth of their power of two, so that tensors of similar
// sizes share blocks and little is wasted.
size_t rounded(size_t bytes) {
  if (bytes <= most_of_small) return bytes;
  const size_t step = std::max(std::bit_floor(bytes) / 8, cache_line);
  const size_t unit = bytes >= huge_page ? std::max(step, huge_page) : step;
  return (bytes + unit - 1) & ~(unit - 1);
}

std::align_val_t alignment(size_t size) { return std::align_val_t{size >= huge_page ? huge_page : cache_line}; }

struct LargeBlocks {
  std::multimap<size_t, void*> cached;  // by size
  MemoryStats stats;

  // Frees cached blocks until the bound holds: the smallest block that suffices, or else the
  // largest ones first.
  void make_room() {
    for (;;) {
      const int64_t excess = stats.in_use + stats.cached - (stats.most + stats.most / 4);
      if (excess <= 0 || stats.cached == 0) return;
      auto block = cached.lower_bound(size_t(excess));
      if (block != cached.end()) block = cached.upper_bound(block->first);
      --block;  // the least recently released one of that size
      ::operator delete(block->second, alignment(block->first));
      stats.cached -= int64_t(block->first);
      cached.erase(block);
    }
  }
};

// Call with the lock held. Never destroyed: static tensors may be released after it would be.
LargeBlocks& large_blocks() {
  static constinit LargeBlocks* blocks = nullptr;
  if (!blocks) blocks = new LargeBlocks;
  return *blocks;
}

void* take_large(size_t size) {
  const auto bytes = int64_t(size);
  const std::lock_guard lock(locks::large_blocks);
  LargeBlocks& pool = large_blocks();
  void* block = nullptr;
  if (auto found = pool.cached.lower_bound(size); found != pool.cached.end() && found->first == size) {
    block = found->second;
    pool.cached.erase(found);
    pool.stats.cached -= bytes;
  } else {
    block = checked(::operator new(size, alignment(size), std::nothrow), size);
    if (size >= huge_page) use_huge_pages(block, size);
  }
  pool.stats.in_use += bytes;
  pool.stats.peak = std::max(pool.stats.peak, pool.stats.in_use);
  pool.stats.most = std::max(pool.stats.most, pool.stats.in_use);
  pool.make_room();
  return block;
}

void release_large(void* block, size_t size) {
  const auto bytes = int64_t(size);
  const std::lock_guard lock(locks::large_blocks);
  LargeBlocks& pool = large_blocks();
  pool.stats.in_use -= bytes;
  if (!keep_blocks) return ::operator delete(block, alignment(size));
  try {
    // In front of its size: the last block released is reused first, while the caches hold it.
    pool.cached.emplace_hint(pool.cached.lower_bound(size), size, block);
    pool.stats.cached += bytes;
  } catch (const std::bad_alloc&) {  // no memory for the multimap's node: free the block instead
    ::operator delete(block, alignment(size));
  }
}

}

void* pool_allocate(size_t bytes) {
  const size_t size = rounded(bytes);
  void* block = size > most_of_small ? take_large(size) : checked(::operator new(size, std::nothrow), size);
  if (poison_memory) std::memset(block, 0xFF, size);
  return block;
}

void pool_release(void* block, size_t bytes) {
  const size_t size = rounded(bytes);
#ifdef STEPGRAD_TEACH
  if (size <= most_of_small) std::memset(block, 0xDD, size);  // so that a debugger can tell: freed
#endif
  if (poison_memory) std::memset(block, 0xFF, size);
  size > most_of_small ? release_large(block, size) : ::operator delete(block);
}

void empty_cache() {
  const std::lock_guard lock(locks::large_blocks);
  LargeBlocks& pool = large_blocks();
  for (const auto& [size, block] : pool.cached) ::operator delete(block, alignment(size));
  pool.cached.clear();
  pool.stats.cached = 0;
}

MemoryStats memory_stats() {
  const std::lock_guard lock(locks::large_blocks);
  LargeBlocks& pool = large_blocks();
  return pool.stats;
}

void reset_peak_memory() {
  const std::lock_guard lock(locks::large_blocks);
  LargeBlocks& pool = large_blocks();
  pool.stats.peak = pool.stats.in_use;
}

}
