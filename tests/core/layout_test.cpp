// What a layout says of itself, beside a list of all of its places.
#include "core/tensor/layout.hpp"

#include <numeric>
#include <set>

#include "tests/support/test.hpp"

namespace {

using Listed = std::vector<int64_t>;

Listed listed(const Layout& layout) {
  Listed all;
  for (int64_t i = 0; i < layout.shape.numel(); ++i) all.push_back(layout.at(i));
  return all;
}

// All of up to three dimensions, of sizes below 4 and strides below 7.
std::vector<Layout> small_layouts() {
  std::vector<Layout> all{Layout(Shape{})};
  size_t begin = 0;
  for (int dims = 0; dims < 3; ++dims) {
    const size_t end = all.size();
    for (size_t i = begin; i < end; ++i)
      for (int64_t size = 0; size < 4; ++size)
        for (int64_t stride = 0; stride < 7; ++stride) {
          Layout more = all[i].insert(dims, size, stride);
          more.offset = 5;
          all.push_back(more);
        }
    begin = end;
  }
  return all;
}

// Whether each place lies behind the one before, if the dimensions of the largest strides come first.
bool rises(const Layout& layout) {
  std::vector<int> order(size_t(layout.shape.dims()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return layout.stride[a] > layout.stride[b]; });
  const Listed places = listed(layout.permute(order));
  return std::adjacent_find(places.begin(), places.end(), std::greater_equal()) == places.end();
}

// The strides that give that shape the same places, if there are any: what lies behind the first
// element along each dimension says which.
bool can_be_viewed(const Listed& places, const Shape& to) {
  Layout only(to);
  only.offset = places.empty() ? 0 : places[0];
  int64_t behind = 1;
  for (int dim = to.dims() - 1; dim >= 0; behind *= to[dim--])
    if (to[dim] > 1 && !places.empty()) only.stride[dim] = places[size_t(behind)] - places[0];
  return listed(only) == places;
}

}

TEST_CASE("A layout is contiguous, has elements at one place, and can be viewed as its places say") {
  for (const Layout& layout : small_layouts()) {
    const Listed places = listed(layout);
    Listed in_order = places;
    for (size_t i = 0; i < places.size(); ++i) in_order[i] = layout.offset + int64_t(i);
    const bool distinct = std::set(places.begin(), places.end()).size() == places.size();
    CAPTURE(layout.shape, Listed(layout.stride, layout.stride + layout.shape.dims()));
    REQUIRE(layout.is_contiguous() == (places == in_order));
    REQUIRE(layout.overlaps() == !rises(layout));  // it says so, too, of some that are hard to tell
    if (!layout.overlaps()) REQUIRE(distinct);
    for (const Shape& to : some_shapes()) {
      if (to.numel() != layout.shape.numel()) continue;
      const auto view = layout.view(to);
      REQUIRE(view.has_value() == can_be_viewed(places, to));
      if (view) REQUIRE(listed(*view) == places);
    }
    Listed walked;
    for_each_place(layout, [&](int64_t place) { walked.push_back(place); });
    REQUIRE(walked == places);
  }
}

TEST_CASE("Two parts of one memory overlap where both have a place") {
  const Tensor all = Tensor::zeros({5}), other = Tensor::zeros({5});
  for (int64_t a = 0; a <= 5; ++a)
    for (int64_t b = a; b <= 5; ++b)
      for (int64_t c = 0; c <= 5; ++c)
        for (int64_t d = c; d <= 5; ++d) {
          const Tensor x = all.slice(0, a, b), y = all.slice(0, c, d);
          bool both = false;
          for (int64_t i = 0; i < 5; ++i) both = both || (a <= i && i < b && c <= i && i < d);
          CAPTURE(a, b, c, d);
          REQUIRE(x.overlaps(y) == both);
          REQUIRE_FALSE(x.overlaps(other.slice(0, c, d)));
        }
}
