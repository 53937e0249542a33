#pragma once

#include <vector>

#include "core/tensor.hpp"

namespace stepgrad::nn {

// Sequences of ids one below the other, the shorter ones filled up: [n, the longest]. As
// torch.nn.utils.rnn.pad_sequence, batch_first. ValueError: no sequences.
Tensor pad_sequence(const std::vector<std::vector<int64_t>>& sequences, int64_t padding_value = 0);

// The same of tensors [n_i, ..], with their gradients: [n, the longest, ..]. ShapeError: their
// other sizes differ.
Tensor pad_sequence(const std::vector<Tensor>& sequences, Scalar padding_value = 0,
                    Loc loc = Loc::here());

}  // namespace stepgrad::nn
