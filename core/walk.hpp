#pragma once

#include <mutex>
#include <vector>

#include "core/grad_mode.hpp"
#include "core/tape.hpp"

namespace stepgrad {

// A backward pass over everything that `root` was computed from, newest node first.
// The constructor checks all of it before anything is touched, see Tensor::backward.
class Walk {
 public:
  Walk(const Tensor& root, Tensor gradient, bool retain_graph);
  ~Walk();  // forgets gradients that were on their way

  Node* next();       // ends the visit of the last node and begins the next one; null at the end
  Tensor gradient();  // of the node being visited, complete

 private:
  void finish(Node& node);

  std::unique_lock<std::recursive_mutex> one_at_a_time_;
  NoGrad no_grad_;
  Ref<Node> root_;            // keeps all of it alive
  std::vector<Node*> order_;  // oldest first: the walk goes from the back
  Node* visiting_ = nullptr;
  bool retain_graph_;
};

}  // namespace stepgrad
