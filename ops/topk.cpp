#include "ops/topk.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

#include "core/check.hpp"
#include "core/tape/record.hpp"
#include "ops/gather.hpp"
#include "ops/permute.hpp"

namespace stepgrad {

// An element's rank as one integer, with NaNs and ties.
struct Place {
  using Bits = std::conditional_t<sizeof(Scalar) == 4, uint32_t, uint64_t>;
  Bits rank;
  uint32_t index;

  static Bits rank_of(Scalar x, bool largest) {
    constexpr Bits sign = ~(~Bits(0) >> 1);
    const auto bits = __builtin_bit_cast(Bits, x + 0);  // -0 becomes 0
    const Bits rising = std::isnan(x) ? ~Bits(0) : bits & sign ? ~bits : bits | sign;
    return largest ? ~rising : rising;
  }
  bool operator<(const Place& other) const {  // without a branch, which would be mispredicted
    return (rank < other.rank) | ((rank == other.rank) & (index < other.index));
  }
};

// The indices of the k first of each row of x [.., n]. An index has no gradient.
static Tensor first_of_rows(const Tensor& x, int64_t k, bool largest) {
  const int last = std::max(x.dim() - 1, 0);
  const int64_t n = x.shape().along(last);
  const Tensor y = Tensor::empty(x.shape().with(last, k)).set_kind(Kind::integer);
  std::vector<Place> order(n);
  for (int64_t r = 0; r < x.shape().rows(); ++r) {
    const Scalar* row = x.data() + r * n;
    for (int64_t i = 0; i < n; ++i) {
      order[i] = {Place::rank_of(row[i], largest), uint32_t(i)};
    }
    std::nth_element(order.begin(), order.begin() + k, order.end());
    std::sort(order.begin(), order.begin() + k);
    for (int64_t j = 0; j < k; ++j) y.data()[r * k + j] = Scalar(order[j].index);
  }
  return y;
}

static constexpr Formula first_places{"topk", "Y = places of the k first of X", "",
    [](Inputs x, const Attributes& of) { return topk(x[0], int64_t(of("k")), of("dim"), of("largest") != 0).indices; },
    Traits{.pieces = "X[Y]", .sums = "dim"}};

ValuesAndIndices topk(Arg x, int64_t k, int dim, bool largest) {
  const int last = std::max(x.dim() - 1, 0);
  dim = x.shape().index_or_0(dim, "topk");
  const int64_t n = x.shape().along(dim);
  const int64_t least = x.dim() ? 0 : 1;  // a number has no dimension that could be empty
  check<ValueError>(least <= k && k <= n, "topk: k = ", k, " is not in [", least, ", ", n, "]");
  check<ValueError>(n <= max_whole, "topk: ", x.shape(), " has more than ", max_whole, " elements along dimension ",
      dim, ", too many for each to have an index that is exact");
  const OpCall call(x);
  auto node =
      record_step<first_places>({{"k", {double(k)}}, {"dim", {double(dim)}}, {"largest", {double(largest)}}}, x);
  const Tensor X = x.tensor.off_tape();
  Tensor indices = dim == last ? first_of_rows(X, k, largest)
                               : transpose(first_of_rows(transpose(X, dim, last), k, largest), dim, last);
  indices = on_tape(std::move(indices), std::move(node));
  return {gather(std::move(x), dim, indices), indices};
}

}
