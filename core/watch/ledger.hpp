#pragma once

#include <atomic>
#include <chrono>
#include <iosfwd>
#include <set>
#include <string>
#include <vector>

#include "core/tape/node.hpp"

namespace stepgrad {

// Off at first, but on in the teaching build: the tape keeps the numbers that each op took and
// made, how long it took, and each contribution to each gradient, for explain(), trace(), to go
// back, and for debuggers. That reads every tensor once more, keeps a copy of every output and
// gradient, and frees what the tape saved only when a backward pass is over.
void set_ledger(bool keep);

// Off at first. While it is on, an op that was asked for under no NoGrad, or a gradient, whose
// result holds a NaN or an infinity throws ValueError with its line and the ranges of its inputs.
// So does one whose input held it already, if that was made elsewhere. An in-place op has written
// by then. This keeps the ledger too, and puts ops on the tape whose gradient nobody wants.
void set_detect_nan(bool detect);

// A table of what each consumer of x contributed to its gradient in the last backward pass, in the
// order of arrival: the op, the line it was called at, the shape before and after un-broadcasting,
// the range, the numbers, their sum, and what hooks made of it. TapeError: x does not require a
// gradient, or no ledger was kept.
std::string explain(const Tensor& x);

// How large the numbers of a tensor are.
struct Range {
  explicit Range(const Tensor& x);
  Range() = default;
  bool finite() const { return nan == 0 && inf == 0; }

  Scalar min = infinity, max = -infinity;  // of the finite ones
  int64_t nan = 0, inf = 0;
};
std::ostream& operator<<(std::ostream& out, const Range& range);  // -1.5 to 2, 3 NaN

// What an op added to the gradient of one of its inputs.
struct Contribution {
  const char* op;  // the consumer
  int64_t number;
  Loc loc, caller;
  Shape before;  // before un-broadcasting
  Range range;
  Tensor part;         // after it: a copy
  const Input* input;  // the consumer's
};

struct Ledger {
  int refs = 0;
  std::vector<Range> inputs;     // when the op was recorded
  std::vector<Tensor> operands;  // the inputs that no op made: the same data, not copies
  Tensor value;                  // what the op made: a copy
  std::chrono::steady_clock::time_point began;
  double forward_seconds = 0, backward_seconds = 0;  // 0: not measured
  Range output;
  Range arrived;                            // the gradient of the output in the last backward pass
  std::vector<Contribution> contributions;  // to that gradient
  Tensor earlier;                           // a leaf's gradient from passes before that: a copy
  Tensor hooked;                            // what hooks made of that gradient, if they did: a copy

  // Of paranoid mode: what its gradient got while it runs, and what was saved for it.
  Tensor dY;
  std::vector<size_t> saved_checksums;

  // Of the passes that ran inside of its gradient, a checkpoint's: what their tapes saved, and the
  // leaves that they added to, with the gradients from before.
  int64_t saved_again = 0;  // bytes
  std::vector<std::pair<Ref<Node>, Tensor>> leaves_inside;
};

// How many bytes `node` saved for its gradient, without what is among `counted`, and counts that.
int64_t saved_bytes(const Node& node, std::set<const Scalar*>& counted);

// For the engine.
struct LedgerSwitch {
  std::atomic<bool> kept, detects_nan;
};
extern LedgerSwitch ledger_switch;
inline bool ledger_on() { return ledger_switch.kept || ledger_switch.detects_nan; }
void ledger_inputs(Node& node, Operands operands);
void ledger_output(Node& node, const Tensor& y);  // ValueError, as set_detect_nan says
void ledger_pass(const std::vector<Node*>& nodes);
void ledger_inner_pass(Node& outer, const std::vector<Node*>& nodes);  // at its end
bool undo(Node& node);  // takes back what its gradient changed; false if it has not run
void ledger_gradient(Node& node, const Tensor& dY, bool by_hook);
void ledger_contribution(const Input& input, const Shape& before,
                         const Tensor& part);  // ValueError

}  // namespace stepgrad
