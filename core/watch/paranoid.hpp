#pragma once

#include <string>

namespace stepgrad {

// Turns all checks on. Off by default; STEPGRAD_PARANOID=1 in the environment turns it on and
// prints the report when the program ends. While it is on, the ledger is kept, and:
//
// * Memory is filled with NaN when it is allocated and when it is released.
// * Saved tensors must be bitwise unchanged when the backward function runs. This also finds a
//   write through data(), which changes no version.
// * A gradient must be finite, and share no memory with another gradient or a saved tensor. (Its
//   shape is always checked.)
// * A backward function is compared with central differences of its op on the program's own
//   numbers: the first, second, fourth, ... time at each line, in two elements of each input, one
//   of them the element with the largest gradient. The allowed difference is 1 % plus what rounding
//   can hide, which is up to a quarter if the step must be small. Your own op is compared if its
//   Formula has a recompute.
//
// Each finding is written to std::cerr at once, each kind once per line and input. Nothing is
// thrown.
void set_paranoid(bool on);  // true also clears earlier findings
void set_paranoid_from_environment();

// A table with one line for each op: how many gradients were computed; how many of the checked
// elements could be compared (some are too small to tell from rounding); the largest relative
// difference; and whether it is right. Then the findings.
std::string paranoid_verdict();

}
