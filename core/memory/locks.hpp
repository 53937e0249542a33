#pragma once

#include <mutex>

namespace stepgrad::locks {

// The engine's locks, except the tape's and the passes'. A thread that holds one of them takes no
// other lock, nor Python's. A new one joins the list in core/tape/forks.cpp.
extern std::mutex names, random, large_blocks, small_blocks;

}  // namespace stepgrad::locks
