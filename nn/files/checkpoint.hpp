#pragma once

#include <algorithm>
#include <array>
#include <bit>

#include "core/tape/modes.hpp"
#include "core/tensor/random.hpp"
#include "nn/files/safetensors.hpp"

// A training that can be resumed: the model's tensors ("model.w1"), the optimizer's state
// ("optimizer.0.m"), the number of steps and the random generator's state ("progress"), in one file
// that PyTorch reads with the package safetensors:
//
//   save_checkpoint("training.safetensors", model, optimizer, step);
//   int64_t step = load_checkpoint("training.safetensors", model, optimizer);
//
// FileError, with the old file or the model, optimizer and generator unchanged: as in
// nn/files/safetensors.hpp, or the file is of another model or optimizer.
namespace stepgrad::nn {

// The step, and the random generator's seed and call: one row of [3, 8] each, byte by byte, since a
// float does not hold them.
using Progress = std::array<uint64_t, 3>;

inline Tensor bytes_of(const Progress& progress) {
  const auto bytes = std::bit_cast<std::array<unsigned char, sizeof(Progress)>>(progress);
  return Tensor::from({bytes.begin(), bytes.end()}, {3, 8});
}

inline Progress progress_of(const Tensor& bytes) {
  std::array<unsigned char, sizeof(Progress)> all;
  std::copy_n(bytes.data(), all.size(), all.begin());
  return std::bit_cast<Progress>(all);
}

// The model's own tensors, and copies of the rest.
NamedTensors parts_of_checkpoint(auto& model, const NamedTensors& of_optimizer, int64_t step) {
  const RandomState random = random_state();
  NamedTensors all{{"progress", bytes_of({uint64_t(step), random.seed, random.call})}};
  for (const auto& [name, tensor] : model.named_parameters()) all.emplace_back("model." + name, tensor);
  for (const auto& [name, tensor] : of_optimizer) all.emplace_back("optimizer." + name, tensor);
  return all;
}

void save_checkpoint(const std::string& path, auto& model, const auto& optimizer, int64_t step, Loc loc = Loc::here()) {
  const OpCall call(loc);
  save_safetensors(path, parts_of_checkpoint(model, optimizer.state(), step));
}

int64_t load_checkpoint(const std::string& path, auto& model, auto& optimizer, Loc loc = Loc::here()) {
  const OpCall call(loc);
  const NamedTensors state = optimizer.state(), all = parts_of_checkpoint(model, state, 0);
  load_safetensors(path, all);
  optimizer.load_state(state);
  const auto [step, seed, draws] = progress_of(all[0].second);
  set_random_state({seed, draws});
  return int64_t(step);
}

}
