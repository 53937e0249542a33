#pragma once

#include <concepts>
#include <initializer_list>
#include <vector>

#include "core/tensor/tensor.hpp"

namespace stepgrad::nn {

// Sequences of ids as rows, padded to the longest: [n, longest]. As
// torch.nn.utils.rnn.pad_sequence, batch_first. ValueError: no sequences.
Tensor pad_sequence(
    const std::vector<std::vector<int64_t>>& sequences, int64_t padding_value = 0, Loc loc = Loc::here());

// The same for tensors [n_i, ..], with their gradients: [n, longest, ..]. ShapeError: their other
// sizes differ.
Tensor pad_tensors(const Tensors& sequences, Scalar padding_value, Loc loc);

// Selected by type: a template, so that nested lists in braces are ids.
template <std::same_as<Tensor> T>
Tensor pad_sequence(const std::vector<T>& sequences, Scalar padding_value = 0, Loc loc = Loc::here()) {
  return pad_tensors(sequences, padding_value, loc);
}
template <std::derived_from<Tensor> T>
Tensor pad_sequence(std::initializer_list<T> sequences, Scalar padding_value = 0, Loc loc = Loc::here()) {
  return pad_tensors({sequences.begin(), sequences.end()}, padding_value, loc);
}

}
