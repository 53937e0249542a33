#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// The k largest (or smallest) elements along `dim`, sorted, and their indices, as torch.topk. Of
// equal elements, the earlier comes first. A NaN is larger than anything.
//   x: [.., n, ..]   values, indices: [.., k, ..]
// IndexError; ValueError: k is not in [0, n], or n is more than a Scalar counts.
[[nodiscard]] ValuesAndIndices topk(Arg x, int64_t k, int dim = -1, bool largest = true);

}
