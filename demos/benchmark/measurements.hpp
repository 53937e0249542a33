#pragma once

#include "demos/benchmark/report.hpp"

namespace stepgrad::demo {

struct Effort {
  int threads, rounds;
  double seconds;  // for one figure in one round
};

Machine examine(int threads);

bool fits(const FfnShape& shape);  // into the memory that is free, as far as that is known

// All contestants in turn, in each round, so that a slow minute affects all.
Comparison compare(const FfnShape& shape, const Effort& effort);

// The faster of the unfused and the fused step, for each instruction set, on one thread and on all.
std::vector<InstructionSet> compare_instruction_sets(const FfnShape& shape, int threads);

}  // namespace stepgrad::demo
