#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// 1 at each id and 0 elsewhere: out[.., c] = [c = ids[..]]      ids: [..]   out: [.., n]
// As torch.nn.functional.one_hot. IndexError: an id that is no whole number in [0, n).
[[nodiscard]] Tensor one_hot(Arg ids, int64_t n);

}
