#pragma once

#include "core/tensor/tensor.hpp"

namespace stepgrad {

// 1 where an element is one of the k largest of its row, else 0; of equal ones, the earlier. It is
// torch.topk's indices as a mask, and has no gradient.         x, out: [.., n]
// ValueError: k is not in [1, n].
[[nodiscard]] Tensor top_k_mask(Arg x, int64_t k);

}
