#pragma once

#include <cstddef>
#include <new>

namespace stepgrad {

constexpr size_t cache_line = 64;
constexpr size_t most_of_small = 1024;  // bytes

// The pool's blocks of a multiple of 64 bytes up to 1 KiB: nodes, handles and small tensors, of
// which a tape may have millions. They are cut from slabs of blocks of one size, so that the system
// is asked once for many, and neighbours on the tape are neighbours in memory. A thread keeps what
// it releases for itself, up to a bound; what it has too many of goes to the threads that have
// none.
void* take_small(size_t size);  // OutOfMemory
void release_small(void* block, size_t size);

// Gives back to the system the slabs whose blocks are all kept by this thread, or by none.
void give_back_small();

// Memory from the system, and back to it.
void* system_allocate(size_t size, std::align_val_t alignment);  // OutOfMemory
void system_free(void* block, std::align_val_t alignment);

}  // namespace stepgrad
