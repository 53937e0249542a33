#pragma once

#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "core/tape/modes.hpp"
#include "core/tape/observer.hpp"
#include "core/tape/tape.hpp"

namespace stepgrad {

// A backward pass over everything that `root` was computed from, newest op first, and
// each leaf as soon as its gradient is complete.
// The constructor checks all of it before anything is touched, see Tensor::backward.
class Pass {
 public:
  Pass(const Tensor& root, Tensor gradient, bool retain_graph, bool create_graph = false);
  ~Pass();  // forgets gradients that were on their way. REQUIRES: not paused

  Node* next();       // ends the visit of the last node and begins the next one; null at the end
  Tensor gradient();  // of the node being visited, complete

  // In between this thread records, and others may run backward.
  void pause();
  void resume();

  // For observers.
  const Tensor& root() const { return root_; }
  std::span<Node* const> nodes() const { return order_; }  // in the order of their visits
  size_t begun() const { return next_; }                   // how many of them, so far
  Node* visiting() const { return visiting_; }
  const Pass* outer() const { return outer_; }  // inside a gradient of which this one runs, or null
  void revisit(size_t i);                       // goes on with nodes()[i]: next() gives it

 private:
  Pass(bool retain_graph, bool create_graph, const Tensor& root);  // checks, and touches nothing
  void lend_history(Node& node);
  void take_history_back();
  void leave();
  void finish(Node& node);
  void release(Node& node);

  std::unique_lock<std::recursive_mutex> one_at_a_time_;
  std::optional<Scoped<bool>> records_;  // whether what gradients compute goes on the tape
  const Tensor root_;                    // keeps all of it alive
  std::vector<Node*> order_;             // as reachable() gives them
  size_t next_ = 0;                      // the first of them that has not been visited
  Node* visiting_ = nullptr;
  const bool retain_graph_, create_graph_;
  bool saved_kept_ = false;  // what nodes saved is kept until all is over
  Observers observers_ = 0;  // of this pass
  Pass* outer_;
  Node* lent_ = nullptr;  // what it saved has its history now
  Node* visited_before_;  // by another pass, around this one or paused
};

}  // namespace stepgrad

// Every gradient is called through here: the one place to set a breakpoint on.
extern "C" void stepgrad_backward_step(stepgrad::Node& node, stepgrad::Tensor dY);
