#pragma once

#include <atomic>
#include <utility>

namespace stepgrad {

// A counted pointer to a T that holds its own count in `int refs`: one plain integer, so that a
// debugger shows it. The count is safe across threads; the T is not made so by it.
// The last Ref calls destroy(T*), found by argument-dependent lookup.
template <class T>
class Ref {
 public:
  Ref() = default;
  explicit Ref(T* object) : p_(object) {
    if (p_ && count() == 0)
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
  ~Ref() { release(); }

  T* get() const { return p_; }
  T* operator->() const { return p_; }
  T& operator*() const { return *p_; }
  explicit operator bool() const { return p_ != nullptr; }

  // True if this is the only Ref: whoever holds it may take the object over.
  bool alone() const { return p_ && count() == 1; }

 private:
  template <class Other>
  friend class Ref;
  int count() const { return std::atomic_ref(p_->refs).load(std::memory_order_acquire); }
  void retain() {
    if (p_) std::atomic_ref(p_->refs).fetch_add(1, std::memory_order_relaxed);
  }
  // The only Ref need not count down: on one element, atomic changes are most of what an op costs.
  void release() {
    if (!p_) return;
    if (count() == 1 || std::atomic_ref(p_->refs).fetch_sub(1, std::memory_order_acq_rel) == 1)
      destroy(p_);
  }

  T* p_ = nullptr;
};

}  // namespace stepgrad
