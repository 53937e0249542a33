#include "tests/support/test.hpp"

namespace {

Places places_at(const Shape& shape, const std::vector<int64_t>& offsets, bool accumulate = false) {
  Places places(shape, std::make_shared<const std::vector<int64_t>>(offsets));
  places.accumulate = accumulate;
  return places;
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

TEST_CASE("What lies at a layout's places is what the op of its name gives") {
  const Shape shape{2, 3, 4};
  const Layout of(shape);
  const Tensor x = leaf(shape), odd = expand(Tensor::of({1, 3}), {2, 3, 2}),
               next = expand(Tensor::of({{1}, {2}, {3}}), {2, 3, 1});
  const std::pair<Layout, Tensor> layouts[] = {
      {of, x},
      {of.select(1, 2), select(x, 1, 2)},
      {of.slice(2, 1, 2, 2), gather(x, 2, odd)},
      {of.insert(1, 5), expand(x.unsqueeze(1), {2, 5, 3, 4})},
      {of.permute(std::array{2, 0, 1}), permute(x, {2, 0, 1})},
      {of.slice(1, 1, 1).expand({3, 2, 7, 4}), expand(slice(x, 1, 1, 2), {3, 2, 7, 4})},
      {*of.slice(0, 1, 1).view({2, 6}), reshape(x[1], {2, 6})},
      {of.select(0, 1).diagonal(0, 1, 0), sum(x[1] * eye(3, 4), 1)},
      {of.diagonal(2, 1, -1), squeeze(gather(x, 2, next), 2)},
  };
  for (const auto& [layout, y] : layouts) {
    const Places places(layout, IndexKind::as_strided);
    CHECK(index(x, places).shape() == y.shape());
    CHECK(index(x, places).to_vector() == y.to_vector());
    gradcheck([&](Tensor x) { return index(x, places); }, {x});
  }
  CHECK(!of.permute(std::array{1, 0, 2}).view({6, 4}));
}

TEST_CASE("Of what is put at one place the last stays, and alone has a gradient, or all add up") {
  const Tensor x = Tensor::of({1, 2, 3});
  for (const bool accumulate : {false, true}) {
    const Places places = places_at({3}, {2, 0, 2}, accumulate);
    CHECK(text(put(x, places, Tensor::of({10, 20, 30}))) == (accumulate ? "21 2 43" : "20 2 30"));
    CHECK(text(put(x, places, 5)) == (accumulate ? "6 2 13" : "5 2 5"));
    const auto put_there = [&](Tensor x, Tensor v) { return put(x, places, v); };
    gradcheck(put_there, {leaf({3}), leaf({3})});
    gradcheck(put_there, {leaf({3}), leaf({1})});
  }
  const Places middle(Layout(Shape{3}).slice(0, 1, 2), IndexKind::slice);
  gradcheck([&](Tensor x, Tensor v) { return put(x, middle, v); }, {leaf({3}), leaf({2})});
}

TEST_CASE("index keeps integers, and index_put_ writes neither a leaf's nor a view's history") {
  const Places first = places_at({2}, {0, 1});
  CHECK(index(arange(4), first).kind() == Kind::integer);
  const Tensor w = leaf({4}), h = w * 1, v = h.view({2, 2});
  CHECK_ERROR(TapeError, index_put_(w, first, 7),
              "index_put_: [4] is a leaf that requires a gradient and may be changed in place only "
              "under NoGrad (in Python: torch.no_grad())");
  CHECK_ERROR(TapeError, index_put_(h, first, 7),
              "index_put_: [4] shares its data with another tensor, whose history would be wrong: "
              "clone() it first");
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
