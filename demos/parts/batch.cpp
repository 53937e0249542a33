#include "demos/parts/batch.hpp"

#include "ops/ops.hpp"

namespace stepgrad::demo {

Batch batch_before(const Text& text, const std::vector<int64_t>& positions, int64_t context) {
  std::vector<int32_t> before, there;
  for (const int64_t i : positions) {
    const auto here = text.ids.begin() + i;
    before.insert(before.end(), here - context, here);
    there.push_back(*here);
  }
  const auto rows = std::ssize(positions);
  return {Tensor::from(before, {rows, context}), Tensor::from(there, {rows})};
}

Batch batch_from(const Text& text, const std::vector<int64_t>& starts, int64_t context) {
  std::vector<int32_t> here, next;
  for (const int64_t start : starts) {
    const auto first = text.ids.begin() + start;
    here.insert(here.end(), first, first + context);
    next.insert(next.end(), first + 1, first + context + 1);
  }
  const Shape shape{std::ssize(starts), context};
  return {Tensor::from(here, shape), Tensor::from(next, shape)};
}

std::vector<int64_t> random_positions(int64_t n, int64_t from, int64_t to) {
  std::vector<int64_t> positions;
  for (const double u : Tensor::rand({n}).to_vector()) {
    positions.push_back(from + int64_t(u * double(to - from)));
  }
  return positions;
}

}
