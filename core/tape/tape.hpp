#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <thread>

#include "core/tape/node.hpp"

namespace stepgrad {

// Only reachable() holds it for long, and a std::mutex that nobody waits for costs twice as much.
class SpinLock {
 public:
  void lock() {
    if (only_thread()) return;
    while (taken_.exchange(true, std::memory_order_acquire)) std::this_thread::yield();
  }
  void unlock() { taken_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> taken_ = false;
};

// The tape is the order in which nodes were made: every live node hangs in this list, which owns
// none of them. One plain global, so that a debugger finds it.
struct Tape {
  Node* oldest = nullptr;
  Node* newest = nullptr;
  int64_t nodes = 0;         // alive
  int64_t ops = 0;           // of these, not leaves
  int64_t numbered = 0;      // the last Node::number given out
  int64_t passes = 0;        // backward passes that have begun
  Node* visiting = nullptr;  // the node that the innermost backward pass is at
  SpinLock lock;  // guards what stands above but `passes` and `visiting`, and all nodes' older,
                  // newer, consumers

  // Atomic, for another thread may print the tape, and where the pass is, while it runs.
  void visit(Node* node) { __atomic_store_n(&visiting, node, __ATOMIC_RELAXED); }
  bool is_at(const Node& node) { return &node == __atomic_load_n(&visiting, __ATOMIC_RELAXED); }
};
extern Tape the_tape;

int64_t live_nodes();  // how many exist now: a test for leaks

// The order of a backward pass: every node that `output` was computed from and that wants a
// gradient. Ops, newest first, and each leaf right behind the oldest of the ops that use it.
std::vector<Node*> reachable(const Tensor& output);

// What the tape of `output` shows: the ops that it was computed from, oldest first, also those that
// are only there to be seen.
std::vector<const Node*> recorded(const Tensor& output);

}  // namespace stepgrad
