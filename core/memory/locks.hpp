#pragma once

#include <mutex>

namespace stepgrad::locks {

// The engine's locks, except the tape's and the passes'. A thread that holds one of them takes no
// other lock, nor Python's. core/tape/forks.cpp lists all of them.
extern std::mutex names, random, large_blocks, ledger;

}
