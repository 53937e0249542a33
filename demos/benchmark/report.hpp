#pragma once

#include <iosfwd>

#include "demos/benchmark/contestants.hpp"

// The results, as tables of at most 100 columns.
namespace stepgrad::demo {

// All contestants at one shape, and the peak rate of multiply-adds, measured between them.
struct Comparison {
  FfnShape shape;
  int threads;
  Rate peak;  // FLOP/s
  std::vector<Contestant> who;
  std::vector<Figure> figures;  // one for each
  // The median step's share of the mean peak just before it, averaged over rounds.
  std::vector<double> median_percents;

  double percent(size_t i) const;  // the best step's share of the best peak; 0 without a figure
};

// In percent; 0 if one of them was not measured.
double share_of_peak(const FfnShape& shape, double seconds, double peak);

// The kernels of one instruction set at a large shape.
struct InstructionSet {
  std::string simd;
  int threads;
  double peak, best;  // FLOP/s, seconds a step
};

struct Machine {
  std::string cpu;
  int cores;
  double free_gib;
  std::vector<std::pair<std::string, double>> peaks;  // FLOP/s by instruction set, all threads
};

void print(std::ostream& out, const Machine& machine, int threads);
void print(std::ostream& out, const Comparison& comparison);
void print(std::ostream& out, const std::vector<InstructionSet>& sets, const FfnShape& shape);

}  // namespace stepgrad::demo
