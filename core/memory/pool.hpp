#pragma once

#include <cstddef>
#include <cstdint>

#include "core/check.hpp"

namespace stepgrad {

// Whether the pool caches released blocks: not under AddressSanitizer or valgrind.
#if defined(__SANITIZE_ADDRESS__) || defined(STEPGRAD_NO_POOL)
constexpr bool keep_blocks = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr bool keep_blocks = false;
#else
constexpr bool keep_blocks = true;
#endif
#else
constexpr bool keep_blocks = true;
#endif

// Memory for tensors and the tape. Blocks of at most 1 KiB are the system allocator's. Larger blocks
// that are released are cached and reused for the next request of that size: page faults of fresh
// memory cost more than most ops. They are aligned to 64 bytes, those of 2 MiB and more to huge
// pages, requested with madvise.
//
// Bound: in use + cached <= 1.25 × the peak in use. (Without the quarter, a training step that
// needs one block of a new size frees a large one, and allocates it again in the next step with all
// its page faults.) Under AddressSanitizer and valgrind nothing is cached, so that they see every
// use after free. Another thread may release a block than the one that allocated it.
void* pool_allocate(size_t bytes);             // OutOfMemory
void pool_release(void* block, size_t bytes);  // the same `bytes`
extern bool poison_memory;                     // paranoid mode: both fill the block with NaN

void empty_cache();  // frees all cached blocks

struct MemoryStats {
  int64_t in_use = 0;  // bytes, rounded up to block sizes; blocks over 1 KiB only
  int64_t cached = 0;  // bytes of cached blocks
  int64_t peak = 0;    // the most in use at once since the start or reset_peak_memory()
  int64_t most = 0;    // the most in use at once since the start; it bounds the cache
};
MemoryStats memory_stats();
void reset_peak_memory();

}
