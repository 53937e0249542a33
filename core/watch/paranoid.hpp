#pragma once

#include <functional>
#include <span>
#include <string>

#include "core/tape/node.hpp"

namespace stepgrad {

// Off at first, but on with STEPGRAD_PARANOID=1 in the environment, which also prints the verdict
// when the program ends. While it is on, the ledger is kept, and nothing is taken for granted:
//
// * Memory that is taken or given back holds NaN.
// * What an op saved must be there bit by bit when its gradient runs: a write through data(), too,
//   of which no version tells, is found.
// * A gradient must be finite, and share its memory neither with another gradient nor with what is
//   saved. (That it has the shape of its input is always asked.)
// * A rule is compared with central differences of its op, on the numbers that the program gave
//   it: at each line the first, second, fourth, ... time, for each input in two elements, one of
//   them that with the largest gradient. Right is what differs by at most 1 % and what rounding
//   hides, which may be a quarter where the step must be small.
//
// What is found is written to std::cerr at once, and of one kind once for each line and input.
// Nothing is thrown. Turned off, it leaves the ledger on.
void set_paranoid(bool on);  // on: what was found before is forgotten
void set_paranoid_from_environment();

// A table of rules, a line each: how many gradients they computed; how many elements of those that
// were looked at could be compared, for some are too small to tell from rounding; the largest
// difference, relative to the larger of both; and whether that is right. Then what was found.
std::string paranoid_verdict();

// How an op is computed once more from other inputs, for the comparison; undefined if it can't be.
using Again = std::function<Tensor(const Node& node, std::span<const Tensor> inputs)>;

// Says so of an op of the reader's own. ops/again.cpp knows those of stepgrad.
void computes_again(const std::string& op, Again again);

// For the engine.
const Again* again_for(const std::string& op);  // null: nobody said how

}  // namespace stepgrad
