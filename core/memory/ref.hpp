#pragma once

#include <utility>

#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#endif

namespace stepgrad {

// True only if no other thread runs: then counts and locks need no atomics, which are most of the
// cost of an op on one element. False from the program's first thread or parallel region on.
inline bool only_thread() {
#if __has_include(<sys/single_threaded.h>)
  return __libc_single_threaded;
#else
  return false;
#endif
}

// A counted pointer to a T that holds its own count in `int refs`, a plain integer, so that a
// debugger shows it. The count is safe across threads; the T itself is not.
// The last Ref calls destroy(T*), found by argument-dependent lookup.
// __atomic_... are built into g++ and clang: std::atomic_ref is missing in libc++ before 19.
template <class T>
class Ref {
 public:
  Ref() = default;
  explicit Ref(T* object) : p_(object) {
    if (p_ && count(p_) == 0)
      p_->refs = 1;  // a fresh object, which no other Ref has
    else
      retain();
  }
  Ref(const Ref& other) : p_(other.p_) { retain(); }
  Ref(Ref&& other) noexcept : p_(std::exchange(other.p_, nullptr)) {}
  template <class Derived>
  Ref(Ref<Derived>&& other) noexcept : p_(std::exchange(other.p_, nullptr)) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(p_, other.p_);
    return *this;
  }
  ~Ref() {
    // NOLINTNEXTLINE: clang-tidy 14 takes a moved Ref for one that was never set
    if (p_) release(p_);
  }

  T* get() const { return p_; }
  T* operator->() const { return p_; }
  T& operator*() const { return *p_; }
  explicit operator bool() const { return p_ != nullptr; }

  // True if this is the only Ref: its holder may reuse the object.
  bool alone() const { return p_ && count(p_) == 1; }

 private:
  template <class Other>
  friend class Ref;
  void retain() {
    if (!p_) return;
    if (only_thread())
      ++p_->refs;
    else
      __atomic_fetch_add(&p_->refs, 1, __ATOMIC_RELAXED);
  }
  // Takes the object, not the Ref: most Refs have been moved from when they are destroyed, and
  // compilers then optimise them away. The only Ref need not count down.
  static void release(T* object) {
    if (count(object) == 1 || counted_down(object) == 0) destroy(object);
  }
  static int count(T* object) { return __atomic_load_n(&object->refs, __ATOMIC_ACQUIRE); }
  static int counted_down(T* object) {
    if (only_thread()) return --object->refs;
    return __atomic_sub_fetch(&object->refs, 1, __ATOMIC_ACQ_REL);
  }

  T* p_ = nullptr;
};

}
