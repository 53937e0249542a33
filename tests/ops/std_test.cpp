#include "tests/support/test.hpp"

const OpExample of_std(
    "std", [](Tensor x) { return stddev(x, 1, true, 0); }, "a.std(1, unbiased=False, keepdim=True)",
    Shapes{{2, 3}});

TEST_CASE("A correction may be any whole number") {
  const Tensor x = Tensor::of({{1, 2, 3}, {4, 4, 10}});
  CHECK_THAT(var(x, {}, false, -1000).to_vector(), near({Scalar(50. / 1006)}));
  constexpr auto most = std::numeric_limits<int64_t>::max();
  CHECK(var(x * Scalar(3e9), {}, false, -most - 1).item() > 40);  // 450e18 / (6 + 2⁶³)
  CHECK(stddev(x * Scalar(3e9), {}, false, -most - 1).item() > 6);
  CHECK(text(var(x, {}, false, most)) == "inf");
}

TEST_CASE("Dimensions can be worked out at run time") {
  std::vector<int> dims;
  for (int dim = 0; dim < 2; ++dim) dims.push_back(dim);
  CHECK(sum(Tensor::ones({2, 3, 4}), dims).to_vector() == Values{6, 6, 6, 6});
  CHECK_ERROR(ShapeError, sum(Tensor::ones({2}), std::vector<int>(7)),
              "dims: 7 are named, and at most 6 are there");
}

TEST_CASE("Equal numbers have no spread and no gradient, also if their mean is rounded") {
  for (int i = 0; i < 200; ++i) {
    const Scalar number = Scalar(0.1) + Scalar(0.013) * static_cast<Scalar>(i);
    const Tensor x = full_like(Tensor::empty({3}), number).requires_grad_();
    const Tensor y = stddev(x);
    y.backward();
    REQUIRE(y.item() == 0);
    REQUIRE(x.grad().to_vector() == Values(3, 0));
  }
}
