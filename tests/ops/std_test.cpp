#include "tests/support/test.hpp"

const OpExample of_std(
    "std", [](Tensor x) { return stddev(x, 1, true, 0); }, "a.std(1, unbiased=False, keepdim=True)", Shapes{{2, 3}});

TEST_CASE("A correction may be any whole number") {
  const Tensor x = Tensor::of({{1, 2, 3}, {4, 4, 10}});
  CHECK_THAT(var(x, {}, false, -1000).to_vector(), near({Scalar(50. / 1006)}));
  constexpr auto most = std::numeric_limits<int64_t>::max();
  CHECK(var(x * Scalar(3e9), {}, false, -most - 1).item() > 40);  // 450e18 / (6 + 2⁶³)
  CHECK(stddev(x * Scalar(3e9), {}, false, -most - 1).item() > 6);
  CHECK(text(var(x, {}, false, most)) == "inf");
}

TEST_CASE("Equal numbers have no spread and no gradient, also if their mean is rounded") {
  for (int i = 0; i < 200; ++i) {
    const Scalar number = Scalar(0.1) + Scalar(0.013) * Scalar(i);
    const Tensor x = full_like(Tensor::empty({3}), number).requires_grad_();
    const Tensor y = stddev(x);
    y.backward();
    REQUIRE(y.item() == 0);
    REQUIRE(x.grad().to_vector() == Values(3, 0));
  }
}

TEST_CASE("Numbers whose squares overflow or vanish spread as others do") {
  const Scalar most = std::numeric_limits<Scalar>::max(), least = std::numeric_limits<Scalar>::min();
  const Tensor x = Tensor::of({{1, 2, 4}, {5, 5, 5}}), dY = Tensor::of({2, 3});
  for (const Scalar size : {std::sqrt(most) * 10, most / 64, std::sqrt(least) / 10, least * 64}) {
    const Tensor plain = x.detach().requires_grad_(), scaled = (x * size).requires_grad_();
    const Tensor expected = stddev(plain, 1), y = stddev(scaled, 1);
    CHECK_THAT((y / size).to_vector(), near(expected.to_vector()));
    expected.backward(dY);
    const Tensor recorded = grad({y}, {scaled}, {.grad_outputs = {dY}, .create_graph = true})[0];
    CHECK_THAT(recorded.to_vector(), near(plain.grad().to_vector()));
    y.backward(dY);
    CHECK_THAT(scaled.grad().to_vector(), near(plain.grad().to_vector()));
  }
  const Tensor large = Tensor::of({1, -1, 1, -1}) * (std::sqrt(most) / Scalar(1.3));
  CHECK_THAT((var(large) / most).to_vector(), near({Scalar(4 / (3 * 1.69))}));
  CHECK(var(large * 2).item() == infinity);
}
