// Instead of forks.cpp where the system has no fork().
#include "core/memory/locks.hpp"

constinit std::mutex stepgrad::locks::names, stepgrad::locks::random, stepgrad::locks::large_blocks,
    stepgrad::locks::ledger;
