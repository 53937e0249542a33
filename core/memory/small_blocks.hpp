#pragma once

#include <cstddef>
#include <new>

namespace stepgrad {

constexpr size_t cache_line = 64;
constexpr size_t most_of_small = 1024;  // bytes

// The pool's blocks of up to 1 KiB, in multiples of 64 bytes: nodes, handles and small tensors, of
// which a tape may have millions. They are cut from slabs, each for one block size, so that there
// are few system calls, and neighbours on the tape are neighbours in memory. A thread caches what
// it releases, up to a bound; the rest goes to a store that all threads share.
void* take_small(size_t size);  // OutOfMemory
void release_small(void* block, size_t size);

// Frees the slabs whose blocks are all cached by this thread or by the shared store.
void give_back_small();

// Memory from the system, and back to it.
void* system_allocate(size_t size, std::align_val_t alignment);  // OutOfMemory
void system_free(void* block, std::align_val_t alignment);

}
