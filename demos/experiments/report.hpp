#pragma once

#include <map>

#include "demos/experiments/studies.hpp"
#include "demos/experiments/training.hpp"

namespace stepgrad::demo {

using Results = std::vector<Result>;                // one for each seed
using AllResults = std::map<std::string, Results>;  // by the variants' names

// Shows a study's table (with the fastest seed's milliseconds per step), its findings, and the
// share of the work that each expert got, if there are any.
void report(const Study& study, const AllResults& results);

// The mean over seeds, and the standard deviation: NaN for a single seed.
struct Spread {
  explicit Spread(const std::vector<double>& numbers);
  double mean, deviation;
};
std::string shown(const Spread& spread, int digits);  // 1.917 ± 0.004, or 1.917

Spread over_seeds(const Results& results, auto number) {
  std::vector<double> numbers;
  for (const Result& result : results) numbers.push_back(number(result));
  return Spread(numbers);
}

// A finding about an expectation, from differences seed by seed: as expected, the opposite, or open
// if the differences' standard deviation exceeds their mean.
std::string found(const Expectation& expected, const Results& better, const Results& worse);

}
