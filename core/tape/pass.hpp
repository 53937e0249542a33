#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "core/tape/modes.hpp"
#include "core/tape/observer.hpp"
#include "core/tape/tape.hpp"

namespace stepgrad {

// One pass runs at a time, or one inside another's rule. A std::recursive_mutex does not know its
// thread again in the child of a fork.
class PassLock {
 public:
  void lock() {
    if (!is_mine()) mutex_.lock(), thread_ = std::this_thread::get_id();
    ++depth_;
  }
  void unlock() {
    if (--depth_ == 0) thread_ = std::thread::id(), mutex_.unlock();
  }
  bool is_mine() const { return thread_ == std::this_thread::get_id(); }

 private:
  std::mutex mutex_;
  std::atomic<std::thread::id> thread_ = {};
  int depth_ = 0;
};

// A backward pass: it visits every node that `root` was computed from, newest op first, and each
// leaf as soon as its gradient is complete. Whoever runs it calls the node's rule:
//
//   while (Node* node = pass.next()) stepgrad_backward_step(*node, pass.gradient());
//
// The constructor gives the root its gradient. Before that it checks all nodes, and changes nothing
// if it throws, see Tensor::backward. One pass runs at a time, or one inside another's rule.
class Pass {
 public:
  Pass(const Tensor& root, Tensor gradient, bool retain_graph, bool create_graph = false);
  ~Pass();  // forgets gradients that were on their way. REQUIRES: not paused

  // Ends the visit of the last node, and frees what it saved unless that is to be kept. Begins that
  // of the next one at which a gradient has arrived. Null: there is none.
  Node* next();
  // Once a visit: takes all that has arrived at the node, runs its hooks, adds to what
  // retain_grad() asked for.
  Tensor gradient();

  // For who returns to the reader's program between two gradients, as Stepper does: while a pass is
  // paused, this thread records ops again, and any thread may run another pass.
  void pause();
  void resume();

  // For observers.
  const Tensor& root() const { return root_; }
  std::span<Node* const> nodes() const { return order_; }  // in the order of their visits
  size_t begun() const { return next_; }                   // how many of them, so far
  Node* visiting() const { return visiting_; }
  const Pass* outer() const { return outer_; }  // the one in whose rule this one runs, or null
  void revisit(size_t i);                       // goes back: now nodes()[i] is being visited

  // In the child of a fork, which has no thread but the one that called it.
  static void forget_those_of_other_threads();

 private:
  Pass(bool retain_graph, bool create_graph, const Tensor& root);  // checks, and touches nothing
  void finish(Node& node);                                         // its visit is over
  void release(Node& node);                                        // frees what it saved
  void leave();  // the outer pass, if there is one, is the innermost again

  // With create_graph, around each gradient: see Saved::lend_history.
  void lend_history(Node& node);
  void take_history_back();

  std::unique_lock<PassLock> one_at_a_time_;
  std::optional<Scoped<bool>> records_;  // whether the tape records what gradients compute
  const Tensor root_;                    // owns all the nodes, by their inputs
  std::vector<Node*> order_;             // as reachable() gives them
  std::vector<std::pair<Node*, Node::InPass>> outers_;  // what outer_ keeps of them
  size_t next_ = 0;                                     // how many of these visits have begun
  Node* visiting_ = nullptr;
  const bool retain_graph_, create_graph_;
  bool saved_kept_ = false;  // an observer wants what nodes saved until the pass is over
  Observers observers_ = 0;  // of this pass
  Pass* outer_;
  Node* lent_ = nullptr;  // the node whose saved tensors have their history now
  Node* visited_before_;  // where the tape was when this pass began
};

}  // namespace stepgrad

// Every rule is called through here: the one place to set a breakpoint on.
extern "C" void stepgrad_backward_step(stepgrad::Node& node, stepgrad::Tensor dY);
