#pragma once

#include "core/tape/pass.hpp"

// Going back in a backward pass, with the ledger's records.
namespace stepgrad {

// Undoes the last `gradients` gradients, or all if fewer have run, and visits the earliest of them
// again. Null: the ledger was not kept, or none has run.
Node* go_back(Pass& pass, int gradients = 1);

// Undoes all changes of a node's gradient. False: it has not run.
bool undo(Node& node);

// Undoes the visible changes of one gradient, or of all gradients of an ending pass: leaves'
// gradients and ledger entries. Needs no memory, so it can be called in a destructor or a catch.
void take_back(Node& node) noexcept;
void take_back(const Pass& pass) noexcept;

// Set by a debugger: undo so many gradients, including the running one, as soon as that one ends.
extern int gradients_to_undo;

// Set by a debugger: calls stepgrad_awaited() when the `times`th gradient from now on begins, of
// the ops that have `input` as an input; null: of all ops.
struct Awaited {
  int64_t times = 0;
  const Node* input = nullptr;
  bool observed = false;  // whether passes that begin now look at this: while the ledger is kept
};
extern Awaited awaited;

void observe_going_back(bool on);  // on while the ledger is kept

}
