#pragma once

// Observer slots, in the order in which they are notified. Other observers use the remaining slots.
namespace stepgrad::place {

enum : int {
  ledger = 0,     // the slots below read it
  nan = 1,        // may throw, before the slots below do any work
  paranoid = 2,   // checks gradients before going_back
  going_back = 3  // undoes some of them
};

}
