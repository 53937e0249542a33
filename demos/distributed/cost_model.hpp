#pragma once

#include "nn/distributed/distributed.hpp"

namespace stepgrad::demo {

// The cost of sending, by the README's model.
struct CostModel {
  double alpha;  // seconds a message
  double beta;   // seconds a byte on the line
  double gamma;  // seconds a byte to pack and add it
  int up, down;  // messages that rank 0's line takes for each bucket: into it, and out of it

  // Seconds until buckets of these sizes have gone up the tree and down again.
  double reduction(const std::vector<size_t>& buckets) const;
};

// Call it on all ranks: sends messages back and forth between the first and the last.
CostModel measure_costs(nn::Distributed& world);

double median(std::vector<double> numbers);

}  // namespace stepgrad::demo
