#include "ops/topk.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/check.hpp"
#include "core/modes.hpp"
#include "ops/gather.hpp"
#include "ops/permute.hpp"

namespace stepgrad {

// The indices of the k first of each row of x [.., n]. An index has no gradient.
static Tensor first_of_rows(const Tensor& x, int64_t k, bool largest) {
  const int last = std::max(x.dim() - 1, 0);
  const int64_t n = x.shape()[last];
  const Tensor y = Tensor::empty(x.shape().with(last, k)).set_whole();
  std::vector<int64_t> order(n);
  for (int64_t r = 0; r < x.shape().rows(); ++r) {
    const Scalar* row = x.data() + r * n;
    const auto before = [&](int64_t i, int64_t j) {
      const bool i_nan = std::isnan(row[i]), j_nan = std::isnan(row[j]);
      if (i_nan != j_nan) return i_nan == largest;
      if (i_nan || row[i] == row[j]) return i < j;
      return (row[i] > row[j]) == largest;
    };
    std::iota(order.begin(), order.end(), 0);
    std::nth_element(order.begin(), order.begin() + k, order.end(), before);
    std::sort(order.begin(), order.begin() + k, before);
    std::copy_n(order.begin(), k, y.data() + r * k);
  }
  return y;
}

ValuesAndIndices topk(Arg x, int64_t k, int dim, bool largest) {
  const int last = std::max(x.dim() - 1, 0);
  dim = x.shape().index_or_0(dim, "topk");
  const int64_t n = x.shape()[dim];
  const int64_t least = x.dim() ? 0 : 1;  // a number has no dimension that could be empty
  check<ValueError>(least <= k && k <= n, "topk: k = ", k, " is not in [", least, ", ", n, "]");
  check_ids("topk", Tensor::empty({0}), n);
  const OpCall call(x.loc);
  const Tensor X = x.tensor.detach();
  const Tensor indices =
      dim == last ? first_of_rows(X, k, largest)
                  : transpose(first_of_rows(transpose(X, dim, last), k, largest), dim, last);
  return {gather(std::move(x), dim, indices), indices};
}

}  // namespace stepgrad
