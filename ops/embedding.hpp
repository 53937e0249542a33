#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// Rows of a table: out[.., :] = table[ids[..], :]     table: [n, d]   ids: [..]   out: [.., d]
// As torch.nn.functional.embedding. IndexError: an id that is no whole number in [0, n).
[[nodiscard]] Tensor embedding(Arg table, Arg ids);

}
