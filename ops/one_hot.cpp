#include "ops/one_hot.hpp"

namespace stepgrad {

// Y[r, ids[r]] = 1. An id has no gradient.
Tensor one_hot(Arg ids, int64_t n) {
  check_operands("one_hot", ids);
  check_ids("one_hot", ids.tensor, n);
  const Tensor y = Tensor::full(ids.shape().insert(ids.shape().dims(), n), 0);
  for (int64_t r = 0; r < ids.numel(); ++r) {
    y.data()[r * n + int64_t(ids.data()[r])] = 1;
  }
  return y;
}

}
