#include "tests/support/test.hpp"

TEST_CASE("Comparisons broadcast and give ones and zeros") {
  for (const Broadcast& shape : broadcasting_pairs()) {
    const Tensor a = leaf(shape.a) * 2 > 0, b = leaf(shape.b) > 0;  // as many equal as not
    for (const auto& [op, plain] :
         std::vector<std::pair<Tensor (*)(Arg, Arg), bool (*)(Scalar, Scalar)>>{
             {eq, [](Scalar a, Scalar b) { return a == b; }},
             {gt, [](Scalar a, Scalar b) { return a > b; }},
             {lt, [](Scalar a, Scalar b) { return a < b; }}}) {
      const Tensor y = op(a, b);
      CHECK(y.shape() == shape.y);
      CHECK(y.to_vector() == for_each_element(shape.y, a, b, plain));
    }
  }
}

TEST_CASE("A comparison is not recorded, and stops no gradient beside it") {
  CHECK_FALSE((leaf({3}) > 0).requires_grad());
  gradcheck([](Tensor x) { return x * (x > 0); }, {leaf({2, 3}, {0})});
}

TEST_CASE("allclose is one answer") {
  const Tensor x = Tensor::of({1, 1e-9, infinity});
  CHECK(allclose(x, x));
  CHECK(x.allclose(Tensor::of({1.000001, 0, infinity})));
  CHECK_FALSE(allclose(x, Tensor::of({1.001, 0, infinity})));
  CHECK(allclose(x, Tensor::of({1.001, 0, infinity}), 1e-2));
  CHECK_FALSE(allclose(x, Tensor::of({1, 0, -infinity})));
  CHECK_FALSE(allclose(Tensor::of({1}), Tensor::of({infinity})));
  CHECK_FALSE(allclose(Tensor::of({NAN}), Tensor::of({NAN})));
  CHECK(allclose(Tensor::ones({2, 3}), 1));
}
