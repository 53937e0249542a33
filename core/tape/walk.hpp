#pragma once

#include <mutex>
#include <optional>
#include <vector>

#include "core/tape/modes.hpp"
#include "core/tape/tape.hpp"

namespace stepgrad {

// A backward pass over everything that `root` was computed from, newest op first, and
// each leaf as soon as its gradient is complete.
// The constructor checks all of it before anything is touched, see Tensor::backward.
class Walk {
 public:
  Walk(const Tensor& root, Tensor gradient, bool retain_graph);
  ~Walk();  // forgets gradients that were on their way

  Node* next();       // ends the visit of the last node and begins the next one; null at the end
  Tensor gradient();  // of the node being visited, complete

  // Undoes that many of the last gradients, or all that have run, and visits the earliest of them
  // again. Null if the ledger was not kept, or none has run.
  Node* back(int gradients = 1);

  // In between this thread records, and others may run backward.
  void pause();
  void resume();

 private:
  Walk(const Tensor& root, bool retain_graph);  // checks, and touches nothing
  void finish(Node& node);
  void release(Node& node);

  std::unique_lock<std::recursive_mutex> one_at_a_time_;
  std::optional<NoGrad> no_grad_{std::in_place};
  Ref<Node> root_;            // keeps all of it alive
  std::vector<Node*> order_;  // as reachable() gives them
  size_t next_ = 0;           // the first of them that has not been visited
  Node* visiting_ = nullptr;
  bool retain_graph_;
  bool ledger_on_;  // the ledger is kept, and what nodes saved until all is over
  Node* outer_;     // what a pass was visiting that this one runs inside of
};

}  // namespace stepgrad

// Every gradient is called through here: the one place to set a breakpoint on.
extern "C" void stepgrad_backward_step(stepgrad::Node& node, stepgrad::Tensor dY);
