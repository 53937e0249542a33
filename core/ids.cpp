#include "core/ids.hpp"

#include <cmath>

#include "core/check.hpp"

namespace stepgrad {

void check_ids(const char* op, const Tensor& ids, int64_t n) {
  for (int64_t r = 0; r < ids.numel(); ++r) {
    const Scalar id = ids.data()[r];
    check<IndexError>(id >= 0 && id < n && id == std::trunc(id), op, ": id ", id,
                      " is not a whole number in [0, ", n, ")");
  }
}

}  // namespace stepgrad
