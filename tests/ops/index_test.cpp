#include "tests/support/test.hpp"

namespace {

Places places_at(const Shape& shape, const std::vector<int64_t>& offsets) {
  return {shape, std::make_shared<const std::vector<int64_t>>(offsets)};
}

// A copy of x with v at the places.
Tensor put(const Tensor& x, const Places& places, Arg v) {
  const Tensor y = clone(x);
  index_put_(y, places, std::move(v));
  return y;
}

}

const OpExample of_index(
    "index",
    [](Tensor x) {
      return index(x, places_at({2, 2}, {4, 1, 4, 0}));
    },
    "a.flatten()[torch.tensor([[4, 1], [4, 0]])]", Shapes{{2, 3}});
const OpExample of_index_put(
    "index_put",
    [](Tensor x, Tensor v) {
      return put(x, places_at({3}, {4, 1, 0}), v);
    },
    "a.flatten().index_put((torch.tensor([4, 1, 0]),), b).view(2, 3)", Shapes{{2, 3}, {3}});

TEST_CASE("index keeps integers, and index_put_ writes neither a leaf's nor a view's history") {
  const Places first = places_at({2}, {0, 1});
  CHECK(index(arange(4), first).kind() == Kind::integer);
  const Tensor w = leaf({4}), h = w * 1, v = h.view({2, 2});
  CHECK_THROWS_AS(index_put_(w, first, 7), TapeError);
  CHECK_THROWS_AS(index_put_(h, first, 7), TapeError);
  const Tensor y = w * 1;
  y.retain_grad();
  index_put_(y, first, 7);
  sum(y * y).backward();
  CHECK(text(y.grad()).starts_with("14 14 "));
  CHECK(text(w.grad()).starts_with("0 0 "));
}

TEST_CASE("A tensor's own numbers are put at other places of it as they were") {
  const Tensor x = Tensor::of({1, 2, 3, 4});
  index_put_(x, {Layout(x.shape()).slice(0, 1, 3), IndexKind::slice}, x.slice(0, 0, 3));
  CHECK(text(x) == "1 1 2 3");
  CHECK_ERROR(ShapeError, index_put_(x, places_at({2}, {0, 1}), x.slice(0, 0, 3)),
      "expand: [3] and [2] do not broadcast, 3 != 2");
  CHECK(text(x) == "1 1 2 3");
}
