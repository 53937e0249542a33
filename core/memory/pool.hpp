#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <string>

namespace stepgrad {

// A tensor wants more memory than the system gives.
class OutOfMemory : public std::bad_alloc {
 public:
  explicit OutOfMemory(size_t bytes)
      : text_("out of memory: a tensor of " + std::to_string(bytes >> 20) +
              " MiB is wanted, more than the system gives") {}
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  std::string text_;
};

// Whether the pool keeps what is released: not under AddressSanitizer or valgrind.
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

// Memory for tensors and the tape, kept for the next of its size instead of being given back: for
// large blocks the page faults of fresh memory cost more than most ops. Blocks are aligned to 64
// bytes, those of 2 MiB and more to huge pages, which the kernel is asked for. Those of at most
// 1 KiB are cut from slabs, see core/memory/small_blocks.hpp.
//
// Bounded: blocks in use and kept blocks together are at most a quarter more than the most that was
// in use at once. (Without that quarter, a step of training that needs one block of a new size
// gives a large one back, and takes it again in the next step with all its page faults.) Of blocks
// of at most 1 KiB there are, of each size, as many as were in use at once, and a few thousand for
// each thread. Under AddressSanitizer and valgrind nothing is kept, so that they see every use
// after free. Blocks may be released by another thread than the one that allocated them.
void* pool_allocate(size_t bytes);             // OutOfMemory
void pool_release(void* block, size_t bytes);  // the same `bytes`
extern bool poison_memory;                     // paranoid mode: both fill the block with NaN

// Gives all kept blocks back to the system; of those of at most 1 KiB the slabs of which nothing is
// in use, nor kept by another thread.
void empty_cache();

struct MemoryStats {
  int64_t in_use = 0;  // bytes, rounded up to block sizes; blocks over 1 KiB only
  int64_t kept = 0;
  int64_t peak = 0;  // the most in use at once since the start or reset_peak_memory()
  int64_t most = 0;  // the same since the start: what kept blocks are bounded by
};
MemoryStats memory_stats();
void reset_peak_memory();

}  // namespace stepgrad
