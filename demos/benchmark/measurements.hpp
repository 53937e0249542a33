#pragma once

#include "demos/benchmark/chart.hpp"

namespace stepgrad::demo {

struct Effort {
  int threads, rounds;
  double seconds;   // for one figure in one round
  double patience;  // seconds to wait for an idle machine, in each round
  bool dx;          // measure steps that make dx, too
};

Machine examine(int threads);

bool fits(const FfnShape& shape);  // into the memory that is free, as far as that is known

// All contestants in turn, again in each round, so that a slow minute of the machine hits all.
Comparison compare(const FfnShape& shape, const Effort& effort);

// The faster of the step-by-step and the fused step with the kernels of each instruction set, on
// one thread and on all.
std::vector<InstructionSet> compare_instruction_sets(const FfnShape& shape, int threads);

// Over the number of positions from 1 to 16384, as far as they fit.
Sweep sweep_rows(int threads);

}  // namespace stepgrad::demo
