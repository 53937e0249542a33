#pragma once

#include <string>

namespace stepgrad {

// Off at first, but on with STEPGRAD_PARANOID=1 in the environment, which also prints the verdict
// when the program ends. While it is on, the ledger is kept, whatever set_ledger says, and nothing
// is taken for granted:
//
// * Memory that is taken or given back holds NaN.
// * What an op saved must be there bit by bit when its gradient runs: a write through data(), too,
//   of which no version tells, is found.
// * A gradient must be finite, and share its memory neither with another gradient nor with what is
//   saved. (That it has the shape of its input is always asked.)
// * A rule is compared with central differences of its op, on the numbers that the program gave
//   it: at each line the first, second, fourth, ... time, for each input in two elements, one of
//   them that with the largest gradient. Right is what differs by at most 1 % and what rounding
//   hides, which may be a quarter where the step must be small. An op of the reader's own is
//   compared, too, if its Formula says how it is computed once more.
//
// What is found is written to std::cerr at once, and of one kind once for each line and input.
// Nothing is thrown.
void set_paranoid(bool on);  // on: what was found before is forgotten
void set_paranoid_from_environment();

// A table of rules, a line each: how many gradients they computed; how many elements of those that
// were looked at could be compared, for some are too small to tell from rounding; the largest
// difference, relative to the larger of both; and whether that is right. Then what was found.
std::string paranoid_verdict();

}  // namespace stepgrad
