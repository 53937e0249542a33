#pragma once

// In which order the engine tells its observers, and why. Those of a test or of the reader's own
// may stand anywhere else.
namespace stepgrad::place {

enum : int {
  rerun = 0,      // moves an operand, before anybody reads it
  ledger = 1,     // all that follow read what it keeps
  nan = 2,        // throws: what follows need not look
  paranoid = 3,   // looks at gradients, before
  going_back = 4  // takes some of them back
};

}  // namespace stepgrad::place
