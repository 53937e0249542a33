#include "tests/support/test.hpp"

const OpExample of_batched_matmul("batched_matmul", matmul, "a @ b", Shapes{{2, 1, 2, 3}, {3, 3, 2}});
const OpExample of_matmul("matmul", matmul, "a @ b", Shapes{{2, 3}, {3, 4}});

namespace {

struct Product {
  Shape a, b, y;
};

}

TEST_CASE("Every family of shapes multiplies as PyTorch's matmul does") {
  const Shape lone;
  for (const Product& shape : std::vector<Product>{{{3}, {3}, lone}, {{5, 2, 3}, {1, 3, 4}, {5, 2, 4}},
           {{4, 1, 2, 3}, {5, 3, 2}, {4, 5, 2, 2}}, {{1, 5, 1, 3}, {4, 1, 3, 1}, {4, 5, 1, 1}},
           {{2, 1, 3, 1, 2, 3}, {2, 1, 2, 3, 2}, {2, 2, 3, 2, 2, 2}}, {{2, 1, 3, 1, 2, 3}, {3}, {2, 1, 3, 1, 2}},
           {{3}, {2, 1, 3, 1, 3, 2}, {2, 1, 3, 1, 2}}, {{2, 1, 3, 1, 2, 3}, {3, 2}, {2, 1, 3, 1, 2, 2}}}) {
    const Tensor a = leaf(shape.a), b = leaf(shape.b), y = matmul(a, b);
    CHECK(y.shape() == shape.y);
    gradcheck(matmul, {a, b});
    // The same with every operand as a stack of matrices, as many as the result has.
    const Tensor rows = a.dim() == 1 ? a.unsqueeze(0) : a;
    const Tensor columns = b.dim() == 1 ? b.unsqueeze(1) : b;
    Shape stack = shape.y;
    if (a.dim() == 1) stack = stack.insert(std::max(0, stack.dims() - (b.dim() > 1)), 1);
    if (b.dim() == 1) stack = stack.insert(stack.dims(), 1);
    const int last = stack.dims() - 1;
    const auto one_by_one = [](const Tensor& x) { return x.reshape({-1, x.size(-2), x.size(-1)}); };
    const Tensor A = one_by_one(rows.expand(stack.with(last, rows.size(-1))));
    const Tensor B = one_by_one(columns.expand(stack.with(last - 1, rows.size(-1)))), Y = one_by_one(y.view(stack));
    for (int64_t i = 0; i < Y.size(0); ++i) CHECK_THAT(Y[i].to_vector(), near(matmul(A[i], B[i]).to_vector()));
  }
}

TEST_CASE("A product saves an operand only for the gradient of the other one") {
  const Tensor x = Tensor::ones({2, 3}), w = leaf({3, 4});
  CHECK(saved_letters(matmul(x, w)) == "A");
  CHECK(saved_letters(matmul(w.transpose(0, 1), x.transpose(0, 1))) == "B");
  CHECK(saved_letters(matmul(x.clone().requires_grad_(), w)) == "AB");
  CHECK(saved_letters(matmul(x.expand({5, 2, 3}), w.expand({5, 3, 4}))) == "A");
}

TEST_CASE("Shapes that do not multiply are named as the caller gave them") {
  const auto refused = [](const Shape& a, const Shape& b) {
    return message<ShapeError>([&] { matmul(leaf(a), leaf(b)); });
  };
  CHECK(refused({2, 3}, {4, 5}) == "matmul: [2, 3] · [4, 5]: inner sizes differ, 3 != 4");
  CHECK(refused({3}, {4, 5}) == "matmul: [3] · [4, 5]: inner sizes differ, 3 != 4");
  CHECK(refused({2, 3}, {2}) == "matmul: [2, 3] · [2]: inner sizes differ, 3 != 2");
  CHECK(refused({2, 4, 5}, {3, 5, 6}) == "matmul: [2, 4, 5] and [3, 5, 6] do not broadcast, 2 != 3");
  CHECK(refused({}, {3}) == "matmul: [] · [3]: a single number is no matrix");
  CHECK(refused({3, 3}, {}) == "matmul: [3, 3] · []: a single number is no matrix");
}
