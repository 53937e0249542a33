#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <thread>

#include "core/tape/node.hpp"

namespace stepgrad {

// A spin lock. Only reachable() holds it for long; a std::mutex that nobody waits for costs twice
// as much.
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
  SpinLock lock;             // guards all but that one, the nodes' links, and InPass::consumers

  // One pass runs at a time; another thread's tape() may ask meanwhile where it is.
  void visit(Node* node) { __atomic_store_n(&visiting, node, __ATOMIC_RELAXED); }
  bool is_at(const Node& node) { return &node == __atomic_load_n(&visiting, __ATOMIC_RELAXED); }
};
extern Tape the_tape;

int64_t live_nodes();  // how many exist now: a test for leaks

// Everything that `output` was computed from and that wants a gradient: ops, newest first, and each
// leaf right behind the oldest of the ops that use it.
std::vector<Node*> reachable(const Tensor& output);

// The ops behind `output`, oldest first, with the constants that they drew.
std::vector<const Node*> recorded(const Tensor& output);

}  // namespace stepgrad
