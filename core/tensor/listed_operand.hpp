#pragma once

#include <atomic>

namespace stepgrad {

// While a ledger is kept, this thread's operands are in a list, the latest first, for the page of
// an op that refuses them. A moved operand goes on being one; an op's own copy is not.
struct ListedOperand {
  ListedOperand() {
    if (on) [[unlikely]]
      join();
  }
  ListedOperand(const ListedOperand&) {}
  ListedOperand(ListedOperand&& other) noexcept : ListedOperand() { nth = other.nth; }
  // Its place in the list is its own. NOLINTNEXTLINE(bugprone-unhandled-self-assignment)
  ListedOperand& operator=(const ListedOperand&) { return *this; }
  ~ListedOperand() {
    if (place) [[unlikely]]
      leave();
  }
  void join();
  void leave();

  static inline std::atomic<bool> on = false;
  ListedOperand **place = nullptr, *older = nullptr;  // *place points here
  mutable unsigned nth = 99;  // set by check_operands(): compilers evaluate arguments in any order
};
extern constinit thread_local ListedOperand* latest_operand;

}
