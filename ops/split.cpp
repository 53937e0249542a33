#include "ops/split.hpp"

#include <algorithm>
#include <numeric>

#include "core/check.hpp"
#include "core/tape/modes.hpp"
#include "ops/slice.hpp"

namespace stepgrad {

std::vector<Tensor> split(Arg x, const std::vector<int64_t>& sizes, int dim) {
  const int64_t n = x.shape()[dim = x.shape().index(dim, "split")];
  const bool fit = std::all_of(sizes.begin(), sizes.end(), [](int64_t size) { return size >= 0; });
  check<ValueError>(fit && std::accumulate(sizes.begin(), sizes.end(), int64_t{0}) == n,
                    "split: the sizes do not add up to the ", n, " of dimension ", dim, " of ",
                    x.shape());
  const OpCall call(x.loc);
  std::vector<Tensor> parts;
  int64_t begin = 0;
  for (const int64_t size : sizes) {
    parts.push_back(slice(x, dim, begin, begin + size));
    begin += size;
  }
  return parts;
}

std::vector<Tensor> split(Arg x, int64_t size, int dim) {
  check<ValueError>(size > 0, "split: size ", size, " is not positive");
  const int64_t n = x.shape()[x.shape().index(dim, "split")];
  std::vector<int64_t> sizes(std::max<int64_t>((n + size - 1) / size, 1), size);
  sizes.back() = n - size * static_cast<int64_t>(sizes.size() - 1);
  return split(std::move(x), sizes, dim);
}

std::vector<Tensor> chunk(Arg x, int64_t chunks, int dim) {
  check<ValueError>(chunks > 0, "chunk: ", chunks, " chunks");
  const int64_t n = x.shape()[x.shape().index(dim, "chunk")];
  return split(std::move(x), std::max<int64_t>((n + chunks - 1) / chunks, 1), dim);
}

}  // namespace stepgrad
