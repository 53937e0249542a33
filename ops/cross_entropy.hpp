#pragma once

#include <cstdint>

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// The mean over all rows of -log softmax(logits)[target], in nats.
//   logits: [..., n]   targets: [...], whole numbers in [0, n)
// As torch.nn.functional.cross_entropy, but classes are the last dimension. Rows whose target is
// ignore_index are skipped; if all are, the result is NaN, as in PyTorch.
// label_smoothing s mixes the target with the uniform distribution: (1 - s) at the target and s/n
// everywhere. ShapeError; IndexError: a target that is no class; ValueError: s outside [0, 1].
[[nodiscard]] Tensor cross_entropy(Arg logits, Arg targets, int64_t ignore_index = -100, Scalar label_smoothing = 0);

}
