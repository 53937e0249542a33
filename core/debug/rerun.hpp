#pragma once

#include "core/tape/observer.hpp"
#include "core/watch/order.hpp"

// How a debugger's check-grad takes central differences: it runs the program once more with
// STEPGRAD_RERUN="pass op input element sign loss fd" in the environment. In that run, an element
// of what op #op takes in before backward pass number `pass` is moved by sign · max(1, |x|)/256,
// and the pass, which begins at op #loss, is not run: the program writes where the element went and
// Σ loss ∘ dloss to the open file fd, and ends.
//
// core/watch/compare_rule.hpp does not answer that: it moves what one op took in and looks at that
// op's rule. Whether a gradient is the loss's slope, through all that lies between, the reader's
// own lines, branches and hooks among it, only the program can tell.
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
