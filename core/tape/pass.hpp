#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "core/tape/modes.hpp"
#include "core/tape/observer.hpp"
#include "core/tape/tape.hpp"

namespace stepgrad {

// One pass runs at a time, or one inside another's backward(). Not a std::recursive_mutex: in the
// child of a fork, that does not recognise its thread.
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

// With create_graph the tape records what backward() computes, so while it runs, the node's saved
// tensors have a history: that of the input they were saved from or, for Y, of the node's output.
// Not longer: the node would own itself.
class LentHistory {
 public:
  explicit LentHistory(Node& node);
  ~LentHistory();
  LentHistory(const LentHistory&) = delete;

 private:
  explicit LentHistory(const Node* outer) : outer_(outer) {}
  const Node* const outer_;                         // modes.gradient_of before
  std::vector<std::pair<Saved*, Tensor>> without_;  // a saved tensor, and itself without history
};

// A backward pass. It visits every node that the roots were computed from, newest op first, and
// each leaf as soon as its gradient is complete; or, if `inputs` are given, what leads to one of
// them:
//
//   while (Node* node = pass.next()) stepgrad_backward_step(*node, pass.gradient());
//
// The constructor checks all nodes first, see Tensor::backward; if it throws, nothing has changed.
// Then the roots get their gradients.
class Pass {
 public:
  Pass(Tensors roots, Tensors gradients, bool retain_graph, bool create_graph = false, CallLine loc = Loc(),
      std::span<const Tensor> inputs = {});
  Pass(const Tensor& root, Tensor gradient, bool retain_graph, bool create_graph = false, CallLine loc = Loc());
  ~Pass();  // drops gradients that no backward() has consumed. REQUIRES: not paused

  // Ends the visit of the current node, and frees its saved tensors unless they are retained. Then
  // begins the visit of the next node that has a gradient; returns null at the end.
  Node* next();
  // dY of the visited node, once per visit: the sum of the contributions, after the node's hooks.
  // Adds it to node.grad if retain_grad() was called.
  Tensor gradient();
  Tensor of_input(const Tensor& x) const { return asked_.at(x.node()); }  // undefined: none arrived

  // For callers that return to user code between two gradients, such as Stepper. While a pass is
  // paused, this thread records ops again, and any thread may run another pass.
  void pause();
  void resume();

  // For observers.
  const Tensors& roots() const { return roots_; }
  std::span<Node* const> nodes() const { return order_; }  // in the order of their visits
  size_t begun() const { return next_; }                   // number of visits started
  Node* visiting() const { return visiting_; }
  const Pass* outer() const { return outer_; }  // the pass whose node's backward() started this one
  void revisit(size_t i);                       // goes back: now nodes()[i] is being visited

  // In the child of a fork, which has no thread but the one that called it.
  static void forget_those_of_other_threads();

 private:
  Pass(bool retain_graph, bool create_graph, Tensors roots);
  void leave_out_others();
  void finish(Node& node);   // its visit is over
  void release(Node& node);  // frees what it saved
  void leave();              // the outer pass, if there is one, is the innermost again

  std::unique_lock<PassLock> one_at_a_time_;
  std::optional<Scoped<bool>> records_, shows_;         // set modes to create_graph
  const Tensors roots_;                                 // own all the nodes, by their inputs
  std::map<const Node*, Tensor> asked_;                 // of `inputs`, and the gradients
  std::vector<Node*> order_;                            // as reachable() gives them
  std::vector<std::pair<Node*, Node::InPass>> outers_;  // outer_'s state of nodes in both passes
  size_t next_ = 0;                                     // index in order_ of the next node to visit
  Node* visiting_ = nullptr;
  const bool retain_graph_, create_graph_;
  Loc loc_;                  // that called backward()
  bool saved_kept_ = false;  // an observer needs the saved tensors until the pass ends
  Observers observers_ = 0;  // of this pass
  Pass* outer_;
  std::optional<LentHistory> lent_;
  Node* visited_before_;  // the_tape.visiting before this pass
};

}

// The only caller of backward(): one place for a breakpoint.
extern "C" void stepgrad_backward_step(stepgrad::Node& node, stepgrad::Tensor dY);
