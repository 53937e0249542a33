#pragma once

#include <filesystem>

#include "demos/benchmark/report.hpp"

namespace stepgrad::demo {

// Share of the peak over a size that varies, one line for each contestant.
struct Sweep {
  std::string title, axis;
  std::vector<int64_t> sizes;
  std::vector<Comparison> comparisons;  // one for each size
};

// Draws the sweep as `picture` (.svg or .png), with its numbers beside it; see Pictures::draw.
void draw(const Sweep& sweep, const std::filesystem::path& picture);

}  // namespace stepgrad::demo
