#pragma once

#include <cstdint>

// operator new of a program that links failing_memory.cpp: counts, and fails on request.
namespace stepgrad {

// While one lives, allocations of this thread fail after the next n: for good, or a single one.
struct FailingMemory {
  FailingMemory(int64_t n, bool fails_for_good);
  ~FailingMemory();
  FailingMemory(const FailingMemory&) = delete;
  bool failed() const;  // whether one did
};

int64_t allocations_in_use();  // of all threads

}
