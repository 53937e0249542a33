#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <thread>

#include "core/tape/node.hpp"

namespace stepgrad {

// Only reachable() holds it for long; an uncontended std::mutex costs twice as much.
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

// The tape: all live nodes in the order of their creation, as a linked list that owns none of them.
// A plain global, so that a debugger finds it.
struct Tape {
  Node* oldest = nullptr;
  Node* newest = nullptr;
  int64_t nodes = 0;                      // live nodes
  int64_t ops = 0;                        // live nodes that are not leaves
  int64_t numbered = 0;                   // the last Node::number given out
  std::atomic<int64_t> at_last_pass = 0;  // `numbered` when the last pass began
  Node* visiting = nullptr;               // the node that the innermost backward pass visits
  SpinLock lock;                          // guards all fields above but the last two, and every
                                          // node's older, newer and consumers

  // Atomic, since another thread may print the tape during a pass.
  void visit(Node* node) { __atomic_store_n(&visiting, node, __ATOMIC_RELAXED); }
  bool is_at(const Node& node) { return &node == __atomic_load_n(&visiting, __ATOMIC_RELAXED); }
};
extern Tape the_tape;

int64_t live_nodes();  // the number of nodes; tests for leaks use it

// The order of a backward pass: every node that `outputs` were computed from and that requires a
// gradient. Ops come newest first, and each leaf right after the oldest op that uses it.
std::vector<Node*> reachable(std::span<const Tensor> outputs);
inline std::vector<Node*> reachable(const Tensor& output) { return reachable({&output, 1}); }

// The ops that `output` was computed from, oldest first, including display-only nodes.
std::vector<const Node*> recorded(const Tensor& output);

}
