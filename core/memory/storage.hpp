#pragma once

#include <cstdint>
#include <limits>
#include <memory>

#include "core/check.hpp"
#include "core/kernels/scalar.hpp"
#include "core/loc.hpp"
#include "core/memory/ref.hpp"

namespace stepgrad {

// Whether PyTorch would hold the elements as floats or as integers (ids, classes, comparisons).
// Here all are stored as Scalar.
enum class Kind : bool { floating, integer };

// The Kind of a result computed from both, by PyTorch's type promotion.
constexpr Kind promoted(Kind a, Kind b) { return a == b ? a : Kind::floating; }

// The bytes of n elements, where addresses are of type Address. OutOfMemory: they are more than
// half of all addresses, which no allocation gets; so a header can be added, and the sum rounded
// up.
template <class Address = size_t>
Address bytes_of(int64_t n) {
  uint64_t bytes = 0;
  const bool fits = !__builtin_mul_overflow(uint64_t(n), sizeof(Scalar), &bytes);
  if (!fits) bytes = std::numeric_limits<uint64_t>::max();
  if (bytes > std::numeric_limits<Address>::max() / 2) throw OutOfMemory(bytes);
  return static_cast<Address>(bytes);
}

// The version of several blocks that stand for the same numbers.
struct Versions {
  int refs = 0;
  int count = 0;
};
inline void destroy(Versions* versions) { delete versions; }

// When numbers were read for what no tape records, for core/watch/ledger.hpp.
struct Reading {
  const char* how = nullptr;  // item()
  Loc loc;
  int version = 0;       // of the numbers
  int64_t at = 0;        // when, on the ledger's clock
  bool alone = false;    // no leaf has a part in what was read
  size_t checksum = 0;   // of numbers read by data(); 0: by others. After a write it is not theirs
  bool earlier = false;  // than the last backward pass before the loss that it is asked for
};

// What the ledger notes of numbers.
struct Watched {
  Reading reading, before;
  int64_t pass = 0;      // when the first pass began in whose gradients they have a part; 0: none
  int version = 0;       // of the numbers that have it
  bool trained = false;  // whether they are a leaf's that requires a gradient
  bool stepped = false;  // and have been written after a pass that they had a part in
};

// A reference-counted block of numbers, not initialised. Tensors of
// different shapes may share one.
struct Storage {
  static constinit thread_local bool in_pass;  // what is allocated is made in a pass
  static Ref<Storage> allocate(int64_t size);  // OutOfMemory

  // Borrows memory of any alignment. The destructor of the last Ref calls release(owner).
  static Ref<Storage> borrow(Scalar* data, int64_t size, void (*release)(void*), void* owner);

  // Atomic if shared: threads that share a leaf may make views of it at the same time.
  void count_detached(int more) {
    if (__atomic_load_n(&refs, __ATOMIC_ACQUIRE) == 1)
      detached += more;
    else
      __atomic_fetch_add(&detached, more, __ATOMIC_RELAXED);
  }

  // The number of in-place writes: a tensor saved at an earlier version is stale.
  int version() const { return together ? together->count : own_version; }
  void increment_version() { ++(together ? together->count : own_version); }
  void count_versions_with(Storage& other);  // from now on both have one version

  int refs = 0;
  int own_version = 0;
  int detached = 0;  // the number of sharing tensors made by detach()
  Kind kind = Kind::floating;
  bool of_gradients = false;    // or of what is computed from them; known while a ledger is kept
  bool written_unseen = false;  // an array outside shares the memory and counts no versions
  int64_t size = 0;
  Scalar* data = nullptr;
  void (*release)(void*) = nullptr;  // null: the memory is this Storage's own
  void* owner = nullptr;
  Ref<Versions> together;  // null: own_version counts
  std::unique_ptr<Watched> watched;
};

void destroy(Storage* storage);

int64_t live_storages();  // the number of Storages; tests for leaks use it

}
