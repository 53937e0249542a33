#pragma once

#include <mutex>

namespace stepgrad::locks {

// The engine's locks, but for the tape's and that of its passes. A thread that holds one of them
// asks for no other lock, of Python's neither. A new one joins the list in core/tape/forks.cpp.
extern std::mutex names, random, large_blocks, small_blocks;

}  // namespace stepgrad::locks
