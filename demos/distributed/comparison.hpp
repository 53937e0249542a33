#pragma once

#include "demos/distributed/training.hpp"

namespace stepgrad::demo {

// The same training three times, a step of each in turn: gradients are sent all at once after
// backward, in buckets after it, and in buckets while it goes on. Rank 0 shows a table, a picture
// and that the bits are the same.
void compare(nn::Distributed& world, const Options& options, const Text& text);

}  // namespace stepgrad::demo
