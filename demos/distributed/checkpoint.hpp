#pragma once

#include "core/tensor/random.hpp"
#include "nn/adamw.hpp"
#include "nn/distributed/distributed.hpp"

namespace stepgrad::demo {

// Everything that a training's next step depends on.
struct TrainingState {
  nn::NamedTensors parameters;
  nn::AdamW& optimizer;
  int64_t& step;         // so many are done
  RandomState& random;   // also the position in the text, since it draws the batches
  std::string training;  // which one it is; others are refused
};

// One file, always whole: the new or the old one (core/files.hpp). FileError.
void save_training(const std::string& path, const TrainingState& state);

// Call it on all ranks; rank 0 reads and broadcasts. FileError on rank 0: not such a file, or
// another training's.
void load_training(nn::Distributed& world, const std::string& path, const TrainingState& state);

}  // namespace stepgrad::demo
