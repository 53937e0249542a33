#pragma once

// Observer slots, in the order in which they are notified. Other observers use the remaining slots.
namespace stepgrad::place {

enum : int {
  rerun = 0,      // changes an operand before others read it
  ledger = 1,     // the slots below read it
  nan = 2,        // may throw, before the slots below do any work
  paranoid = 3,   // checks gradients before going_back
  going_back = 4  // undoes some of them
};

}  // namespace stepgrad::place
