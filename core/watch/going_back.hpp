#pragma once

#include "core/tape/pass.hpp"

// Going back in a backward pass, by what the ledger kept of it.
namespace stepgrad {

// Undoes that many of the last gradients, or all that have run, and visits the earliest of them
// again. Null if the ledger was not kept, or none has run.
Node* go_back(Pass& pass, int gradients = 1);

// Takes back what a node's gradient changed. False if it has not run.
bool undo(Node& node);

// Takes back what somebody sees of a node's gradient, or of all those of a pass that ends: leaves'
// gradients and the ledger's entries. That needs no memory, so that a destructor or a catch may.
void take_back(Node& node) noexcept;
void take_back(const Pass& pass) noexcept;

// By a debugger: so many gradients, the running one too, are undone as soon as that one is over.
extern int gradients_to_undo;

void observe_going_back(bool on);  // as long as the ledger is kept

}  // namespace stepgrad
