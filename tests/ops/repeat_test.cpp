#include "tests/support/test.hpp"

const OpExample of_repeat(
    "repeat",
    [](Tensor x) {
      return repeat(x, {2, 1, 3});
    },
    "a.repeat(2, 1, 3)", Shapes{{2, 3}});

namespace {

// As many copies along each dimension, one after the other.
Tensor repeated(Tensor y, const Shape& times) {
  while (y.dim() < times.dims()) y = y.unsqueeze(0);
  for (int dim = 0; dim < times.dims(); ++dim)
    y = times[dim] ? concat(Tensors(size_t(times[dim]), y), dim) : y.slice(dim, 0, 0);
  return y;
}

struct Repeated {
  Shape x, times, y;
};

}

TEST_CASE("A tensor is laid side by side along every dimension, and new ones in front") {
  const Shape none;
  for (const Repeated& shape : std::vector<Repeated>{{none, none, none}, {none, {3}, {3}}, {{3}, {2}, {6}},
           {{3}, {1}, {3}}, {{3}, {4, 2}, {4, 6}}, {{2, 3}, {2, 2}, {4, 6}}, {{2, 3}, {1, 3}, {2, 9}},
           {{2, 1, 3}, {2, 3, 2}, {4, 3, 6}}, {{2, 3}, {0, 2}, {0, 6}}, {{2, 3}, {2, 0}, {4, 0}},
           {{0, 3}, {2, 2}, {0, 6}}, {{1, 2, 1, 2, 1, 2}, {2, 1, 2, 2, 1, 2}, {2, 2, 2, 4, 1, 4}}}) {
    const Tensor x = leaf(shape.x), y = repeat(x, shape.times);
    CHECK(y.shape() == shape.y);
    CHECK(y.to_vector() == repeated(x, shape.times).to_vector());
    gradcheck([&](Tensor x) { return repeat(x, shape.times); }, {x});
  }
}

TEST_CASE("Too few numbers of repeats and negative ones are refused") {
  const Tensor x = leaf({2, 3});
  CHECK_ERROR(ShapeError, repeat(x, {2}), "repeat: [2, 3] by [2]: fewer numbers of repeats than dimensions");
  CHECK_ERROR(ShapeError, repeat(x, {2, -1}), "repeat: [2, -1] has a negative size");
}

TEST_CASE("A size beyond int64 is refused, also beside a size of zero") {
  const Tensor x = Tensor::zeros({256}), none = Tensor::zeros({0, 256});
  CHECK_ERROR(ShapeError, x.repeat({(int64_t{1} << 56) + 1}),
      "repeat: [256] by [72057594037927937] has more elements than memory has addresses");
  CHECK_THROWS_AS(none.repeat({1, (int64_t{1} << 56) + 1}), ShapeError);
  CHECK_THROWS_AS(none.repeat({int64_t{1} << 40, int64_t{1} << 40}), ShapeError);
  CHECK(none.repeat({1 << 20, 1 << 20}).shape() == Shape{0, 256 << 20});
}
