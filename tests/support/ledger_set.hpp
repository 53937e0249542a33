#pragma once

#include "core/watch/ledger.hpp"

namespace stepgrad {

// The ledger is kept, or is not, until the end of the test.
struct LedgerSet {
  explicit LedgerSet(bool keep) : before(ledger_switch.kept.exchange(keep)) {}
  ~LedgerSet() { set_ledger(before); }
  LedgerSet(const LedgerSet&) = delete;
  const bool before;
};

}  // namespace stepgrad
