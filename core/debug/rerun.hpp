#pragma once

#include "core/tape/node.hpp"

// How a debugger's check-grad takes central differences: it runs the program once more with
// STEPGRAD_RERUN="pass op input element sign loss fd" in the environment. In that run, an element
// of what op #op takes in before backward pass number `pass` is moved by sign · max(1, |x|)/256,
// and the pass, which begins at op #loss, is not run: the program writes where the element went and
// Σ loss ∘ dloss to the open file fd, and ends.
namespace stepgrad {

struct Rerun {
  int64_t pass, op, input, element;
  int sign;
  int64_t loss;
  int fd;
  double moved_to = 0;

  void at_op(const Node& node, Operands operands);           // its inputs are connected
  void at_pass(const Tensor& loss, const Tensor& gradient);  // it is to begin; may not return
};
extern Rerun* const rerun;  // null in every other run

}  // namespace stepgrad
