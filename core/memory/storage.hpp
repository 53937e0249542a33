#pragma once

#include <cstdint>

#include "core/kernels/scalar.hpp"
#include "core/memory/ref.hpp"

namespace stepgrad {

// Of which type the numbers are in PyTorch: ids, classes and comparisons are integers. Here all are
// kept as a Scalar.
enum class Kind : bool { floating, integer };

// Of what is made of both, as PyTorch promotes types.
constexpr Kind promoted(Kind a, Kind b) { return a == b ? a : Kind::floating; }

// How often an in-place op has written, where several blocks stand for the same numbers.
struct Versions {
  int refs = 0;
  int count = 0;
};
inline void destroy(Versions* versions) { delete versions; }

// A counted block of numbers, aligned to 64 bytes and not initialised. Tensors of different shapes
// may share one.
struct Storage {
  static Ref<Storage> allocate(int64_t size);  // OutOfMemory

  // Numbers that somebody else keeps, at any address, until release(owner) is called with the last
  // Ref gone.
  static Ref<Storage> borrow(Scalar* data, int64_t size, void (*release)(void*), void* owner);

  // Threads that share a leaf make views of it at the same time, each with a Ref of its own.
  void count_detached(int more) {
    if (__atomic_load_n(&refs, __ATOMIC_ACQUIRE) == 1)
      detached += more;
    else
      __atomic_fetch_add(&detached, more, __ATOMIC_RELAXED);
  }

  // How often an in-place op has written here: what was saved earlier is stale.
  int version() const { return together ? together->count : own_version; }
  void increment_version() { ++(together ? together->count : own_version); }
  void count_versions_with(Storage& other);  // from here on what is written to one is to both

  int refs = 0;
  int own_version = 0;
  int detached = 0;  // how many of those who share it are detached, and so without a history
  Kind kind = Kind::floating;
  bool written_unseen = false;  // an array elsewhere shares these numbers, and counts no version
  int64_t size = 0;
  Scalar* data = nullptr;
  void (*release)(void*) = nullptr;  // null: the numbers are this Storage's own
  void* owner = nullptr;
  Ref<Versions> together;  // null: own_version counts
};

void destroy(Storage* storage);

int64_t live_storages();  // how many exist now: a test for leaks

}  // namespace stepgrad
