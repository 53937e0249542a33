#include "tests/support/test.hpp"

const OpExample of_concat(
    "concat",
    [](Tensor a, Tensor b) {
      return concat({a, b, a}, 1);
    },
    "torch.cat([a, b, a], 1)", Shapes{{2, 3}, {2, 2}});

TEST_CASE("Each tensor gets its stretch of the gradient, and all of them if it came twice") {
  for (int dim : {0, 1, 2, -1}) {
    const auto along = [=](Tensors in) { return concat(in, dim); };
    const Shape shape{2, 3, 2};
    const int at = shape.index(dim);
    gradcheck(along, {leaf(shape), leaf(shape.with(at, 1)), leaf(shape.with(at, 0)), leaf(shape)});
    gradcheck([=](Tensor x) { return concat({x, x * 2, x}, dim); }, {leaf(shape)});
  }
  gradcheck([](Tensors in) { return concat(in); }, {leaf({3}), leaf({2})});
  gradcheck([](Tensors in) { return concat(in, 5); }, {leaf({1, 2, 1, 2, 1, 2}), leaf({1, 2, 1, 2, 1, 1})});
}

TEST_CASE("Tensors that do not fit together are not laid together") {
  const Tensor a = leaf({2, 3});
  CHECK_ERROR(ShapeError, concat({a, leaf({3, 3})}, 1), "concat: [2, 3] and [3, 3] differ not only in dimension 1");
  CHECK_ERROR(ShapeError, concat({a, leaf({2})}), "concat: [2, 3] and [2] differ not only in dimension 0");
  CHECK_ERROR(ShapeError, concat({}), "concat: of no tensors at all");
  CHECK_ERROR(IndexError, concat({leaf({}), leaf({})}), "concat: [] has no dimension 0");
}

TEST_CASE("Tensors whose sizes add up to more than an integer holds are refused") {
  const Tensor none = Tensor::zeros({0, int64_t{1} << 56});
  CHECK_THROWS_AS(concat(Tensors(200, none), 1), ShapeError);
}
