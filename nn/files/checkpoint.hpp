#pragma once

#include "nn/files/safetensors.hpp"

// A training to go on with: the model's tensors ("model.w1"), what the optimizer remembers
// ("optimizer.0.m") and the number of steps done ("step"), in one file that PyTorch reads with the
// package safetensors:
//
//   save_checkpoint("training.safetensors", model, optimizer, step);
//   int64_t step = load_checkpoint("training.safetensors", model, optimizer);
//
// FileError: as in nn/files/safetensors.hpp, and if the file is of another model or optimizer. Then
// the old file, or the model and the optimizer, are what they were.
namespace stepgrad::nn {

// The model's own tensors, copies of the optimizer's.
template <class Model>
NamedTensors parts_of_checkpoint(Model& model, const NamedTensors& of_optimizer, int64_t step) {
  NamedTensors all{{"step", Tensor::full({}, static_cast<Scalar>(step))}};
  for (const auto& [name, tensor] : model.named_parameters())
    all.emplace_back("model." + name, tensor);
  for (const auto& [name, tensor] : of_optimizer) all.emplace_back("optimizer." + name, tensor);
  return all;
}

template <class Model, class Optimizer>
void save_checkpoint(const std::string& path, Model& model, const Optimizer& optimizer,
                     int64_t step) {
  save_safetensors(path, parts_of_checkpoint(model, optimizer.state(), step));
}

template <class Model, class Optimizer>
int64_t load_checkpoint(const std::string& path, Model& model, Optimizer& optimizer) {
  const NamedTensors state = optimizer.state(), all = parts_of_checkpoint(model, state, 0);
  load_safetensors(path, all);
  optimizer.load_state(state);
  return static_cast<int64_t>(all[0].second.item());
}

}  // namespace stepgrad::nn
