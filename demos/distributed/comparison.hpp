#pragma once

#include "demos/distributed/training.hpp"

namespace stepgrad::demo {

// The same training three times, in interleaved steps: gradients sent at once after backward, in
// buckets after it, and in buckets during it. Rank 0 shows a table, a picture, and that the weights
// are bitwise equal.
void compare(nn::Distributed& world, const Options& options, const Text& text);

}  // namespace stepgrad::demo
