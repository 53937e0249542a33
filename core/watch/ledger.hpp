#pragma once

#include <chrono>
#include <set>
#include <vector>

#include "core/tape/observer.hpp"
#include "core/watch/range.hpp"

namespace stepgrad {

// Off at first, but on in the teaching build: the tape keeps the numbers that each op took and
// made, how long it took, and each contribution to each gradient, for explain(), trace(), to go
// back, and for debuggers. That reads every tensor once more, keeps a copy of every output and
// gradient, and frees what the tape saved only when a backward pass is over.
void set_ledger(bool keep);
bool ledger_kept();  // as that said

// While one lives, the ledger is kept, or is not.
class KeepLedger {
 public:
  explicit KeepLedger(bool keep = true) { set_ledger(keep); }
  ~KeepLedger() { set_ledger(before_); }  // NOLINT(bugprone-exception-escape): its place is free
  KeepLedger(const KeepLedger&) = delete;

 private:
  const bool before_ = ledger_kept();
};

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
  std::vector<Range> inputs;     // when the op was recorded
  std::vector<Tensor> operands;  // the inputs that no op made: the same data, not copies
  Tensor value;                  // what the op made: a copy
  std::chrono::steady_clock::time_point began;       // the op, or its gradient
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
int64_t saved_bytes(const Node& node, std::set<const Storage*>& counted);

// Who needs the ledger whatever set_ledger says. NaN detection needs ranges alone: it is then kept
// without values.
void set_ledger_of_ranges(bool keep);
void set_ledger_for_paranoid(bool keep);

}  // namespace stepgrad
