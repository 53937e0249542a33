#include "ops/split.hpp"

#include <algorithm>

#include "core/check.hpp"
#include "core/tape/modes.hpp"
#include "ops/slice.hpp"

namespace stepgrad {

Tensors split(Arg x, const std::vector<int64_t>& sizes, int dim) {
  const int64_t n = x.shape()[dim = x.shape().index(dim, "split")];
  int64_t left = n;
  for (const int64_t size : sizes) left = 0 <= size && size <= left ? left - size : -1;
  check<ValueError>(left == 0, "split: the sizes do not add up to the ", n, " of dimension ", dim, " of ", x.shape());
  const OpCall call(x);
  Tensors parts;
  int64_t begin = 0;
  for (const int64_t size : sizes) {
    parts.push_back(slice(x, dim, begin, begin + size));
    begin += size;
  }
  return parts;
}

// ⌈n/by⌉, for any positive `by`
static int64_t divided_up(int64_t n, int64_t by) { return n / by + (n % by != 0); }

Tensors split(Arg x, int64_t size, int dim) {
  const int64_t n = x.shape()[x.shape().index(dim, "split")];
  check<ValueError>(size > 0, "split: size ", size, " is not positive");
  std::vector<int64_t> sizes(std::max<int64_t>(divided_up(n, size), 1), size);
  sizes.back() = n - size * int64_t(sizes.size() - 1);
  return split(std::move(x), sizes, dim);
}

Tensors chunk(Arg x, int64_t chunks, int dim) {
  const int64_t n = x.shape()[x.shape().index(dim, "chunk")];
  check<ValueError>(chunks > 0, "chunk: ", chunks, " chunks");
  return split(std::move(x), std::max<int64_t>(divided_up(n, chunks), 1), dim);
}

}
