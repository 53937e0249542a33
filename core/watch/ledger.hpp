#pragma once

#include <chrono>
#include <set>
#include <vector>

#include "core/tape/observer.hpp"
#include "core/watch/range.hpp"

namespace stepgrad {

// The ledger: the tape also keeps each op's input and output values, its times, and each
// contribution to each gradient. explain(), trace(), going back and debuggers use it. Off by
// default, on in the teaching build. It reads every tensor again, copies every output and
// gradient, and frees saved tensors only at the end of a backward pass.
void set_ledger(bool keep);
bool ledger_kept();  // as set by set_ledger

// While one lives, the ledger is on (or off).
class KeepLedger {
 public:
  [[nodiscard]] explicit KeepLedger(bool keep = true) { set_ledger(keep); }
  ~KeepLedger() { set_ledger(before_); }  // NOLINT(bugprone-exception-escape): its place is free
  KeepLedger(const KeepLedger&) = delete;

 private:
  const bool before_ = ledger_kept();
};

// An op's contribution to the gradient of one of its inputs.
struct Contribution {
  const char* op;  // the consumer
  int64_t number;
  Loc loc, caller;
  Shape before;  // before un-broadcasting
  Range range;
  Tensor gradient;     // after un-broadcasting: a copy
  const Input* input;  // the consumer's
};

struct Ledger {
  std::vector<Range> inputs;                    // when the op was recorded
  Tensors operands;                             // inputs that are no op's output: the same data, not copies
  std::vector<int> versions;                    // of the operands when the op was recorded
  int64_t at = 0, since = 0;                    // on a clock: when it was recorded, and the last pass before it
  Reading gradients_read;                       // before it: the first after the last pass that was followed by one
  Tensor value;                                 // the op's output: a copy
  std::chrono::steady_clock::time_point began;  // the op, or its gradient
  double forward_seconds = 0, backward_seconds = 0;  // 0: not measured
  Range output;
  Range arrived;                            // dY in the last backward pass
  std::vector<Contribution> contributions;  // dY's terms
  Tensor earlier;                           // a leaf's gradient before that pass: a copy
  Tensor hooked;                            // dY after hooks, if they changed it: a copy

  // For paranoid mode: dY while the backward function runs, and checksums of the saved tensors.
  Tensor dY;
  std::vector<size_t> saved_checksums;

  // For passes inside the node's backward function (checkpoint): the bytes that their tapes saved,
  // and the leaves that they added to, with the gradients before.
  int64_t saved_again = 0;  // bytes
  std::vector<std::pair<Ref<Node>, Tensor>> leaves_inside;
};

// Notes y as the op's output, again if it was written since.
void note_output(Ledger& ledger, const Tensor& y);

// The bytes that `node` saved, without storages in `counted`; adds its storages to `counted`.
int64_t saved_bytes(const Node& node, std::set<const Storage*>& counted);

// NaN detection and paranoid mode keep the ledger regardless of set_ledger(); NaN detection keeps
// ranges without values.
void set_ledger_of_ranges(bool keep);
void set_ledger_for_paranoid(bool keep);

}
