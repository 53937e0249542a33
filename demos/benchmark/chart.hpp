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

// Writes the sweeps to `picture` (.svg or .png), one below the other, by gnuplot, and their numbers
// beside it as .csv. Returns a sentence on what was written and what was not.
std::string draw(const std::vector<Sweep>& sweeps, const std::string& picture);

}  // namespace stepgrad::demo
