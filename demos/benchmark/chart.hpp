#pragma once

#include <string>

#include "demos/benchmark/report.hpp"

namespace stepgrad::demo {

// Share of the peak over a size that varies, one line for each contestant.
struct Sweep {
  std::string title, axis;
  std::vector<int64_t> sizes;
  std::vector<Comparison> comparisons;  // one for each size
};

// Writes the sweep to `picture` (.svg or .png) by gnuplot, and its numbers beside it as .csv.
// Returns a sentence on what was written and what was not.
std::string draw(const Sweep& sweep, const std::string& picture);

}  // namespace stepgrad::demo
