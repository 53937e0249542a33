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

  // Seconds of a step: gradients are sent after `compute` seconds of computing, or, with overlap,
  // from the beginning of its last `backward` seconds on.
  double step(double compute, double backward, const std::vector<size_t>& buckets,
              bool overlap) const;
};

// Call it on all ranks: sends messages back and forth between the first and the last.
CostModel measure_costs(nn::Distributed& world);

double median(std::vector<double> numbers);

}  // namespace stepgrad::demo
