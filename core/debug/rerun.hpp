#pragma once

#include "core/tape/observer.hpp"
#include "core/watch/order.hpp"

// How a debugger's check-grad takes central differences: it runs the program again with
// STEPGRAD_RERUN="pass op input element sign loss fd" in the environment. That run moves an element
// of op #op's input by sign · max(1, |x|)/256. When backward pass number `pass` begins, at op
// #loss, the program writes the element's new value and Σ loss ∘ dloss to the open file fd, and
// exits.
//
// core/watch/compare_backward.hpp compares one op's backward function only. Whether a gradient is
// the loss's slope through the user's own lines, branches and hooks, only the program can tell.
namespace stepgrad {

struct Rerun final : Observer {
  constexpr Rerun() : Observer(place::rerun) {}
  void op_begins(Node& node, Operands operands) override;
  void pass_begins(Pass& begun) override;  // may not return

  int64_t pass = 0, op = 0, input = 0, element = 0;
  int sign = 1;
  int64_t loss = 0;
  int fd = -1;
  double moved_to = 0;
};

void rerun_from_environment();

}  // namespace stepgrad
