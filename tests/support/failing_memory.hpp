#pragma once

#include <cstdint>

// operator new of the program that failing_memory.cpp is part of: it counts, and fails if asked to.
namespace stepgrad {

// While one lives, allocations of this thread fail after the next n: for good, or a single one.
struct FailingMemory {
  FailingMemory(int64_t n, bool fails_for_good);
  ~FailingMemory();
  FailingMemory(const FailingMemory&) = delete;
  bool failed() const;  // whether one did
};

int64_t allocations_in_use();  // of all threads

}  // namespace stepgrad
