#include "ops/linspace.hpp"

#include "ops/ops.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/gradcheck.hpp"
#include "tests/support/shapes.hpp"

using namespace stepgrad;

TEST_CASE("arange and linspace count, in whole numbers or not") {
  CHECK(arange(3).to_vector() == Values{0, 1, 2});
  CHECK(arange(2, 5).to_vector() == Values{2, 3, 4});
  CHECK_THAT(arange(0, 1, 0.25).to_vector(), near({0, 0.25, 0.5, 0.75}));
  CHECK(arange(5, 0, -2).to_vector() == Values{5, 3, 1});
  CHECK(arange(2.5).to_vector() == Values{0, 1, 2});
  CHECK(arange(1, 1).numel() == 0);
  CHECK_THROWS_AS(arange(2, 1), ValueError);
  CHECK_THROWS_AS(arange(0, 1, 0), ValueError);
  CHECK(linspace(0, 1, 5).to_vector() == Values{0, 0.25, 0.5, 0.75, 1});
  CHECK(linspace(3, 1, 2).to_vector() == Values{3, 1});
  CHECK(linspace(3, 1, 1).to_vector() == Values{3});
  CHECK(linspace(0, 1, 0).numel() == 0);
  CHECK_THROWS_AS(linspace(0, 1, -1), ValueError);
}

TEST_CASE("arange repeats no number") {
  if (sizeof(Scalar) == sizeof(double)) return;  // its bounds are doubles themselves
  const double beyond = std::pow(2., std::numeric_limits<Scalar>::digits);
  CHECK(arange(beyond - 1, beyond + 1).to_vector().back() == Scalar(beyond));
  CHECK_THROWS_AS(arange(beyond, beyond + 6), ValueError);
  CHECK(arange(beyond, beyond + 6, 2).numel() == 3);
}

TEST_CASE("eye, tril and t") {
  CHECK(eye(2).to_vector() == Values{1, 0, 0, 1});
  CHECK(eye(2, 3).to_vector() == Values{1, 0, 0, 0, 1, 0});
  const Tensor x = Tensor::of({{1, 2, 3}, {4, 5, 6}});
  CHECK(tril(x).to_vector() == Values{1, 0, 0, 4, 5, 0});
  CHECK(x.tril(1).to_vector() == Values{1, 2, 0, 4, 5, 6});
  CHECK(x.tril(-1).to_vector() == Values{0, 0, 0, 4, 0, 0});
  CHECK(x.t().to_vector() == Values{1, 4, 2, 5, 3, 6});
  CHECK(Tensor::of({1, 2}).t().to_vector() == Values{1, 2});
  for (const int diagonal : {-2, 0, 1}) {
    gradcheck([=](Tensor x) { return tril(x, diagonal); }, {leaf({2, 3, 4})});
  }
  CHECK(message<ShapeError>([] { tril(leaf({3})); }) == "tril: [3] is no matrix");
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

TEST_CASE("All comparisons are operators, of tensors and numbers, and false for a NaN but one") {
  const Tensor x = Tensor::of({1, 2, 3, NAN});
  CHECK((x == 2).to_vector() == Values{0, 1, 0, 0});
  CHECK((x != 2).to_vector() == Values{1, 0, 1, 1});
  CHECK((x < 2).to_vector() == Values{1, 0, 0, 0});
  CHECK((x <= 2).to_vector() == Values{1, 1, 0, 0});
  CHECK((2 > x).to_vector() == Values{1, 0, 0, 0});
  CHECK((x >= x).to_vector() == Values{1, 1, 1, 0});
  CHECK(x.ge(2).to_vector() == (x > 1.5).to_vector());
}

TEST_CASE("In place, -= and /= are recorded like the others") {
  const Tensor w = leaf({2}), k = Tensor::of({2, 4}).requires_grad_();
  Tensor x = w * 1;
  x -= k;
  x /= k;
  CHECK_THAT(x.to_vector(), near(((w - k) / k).to_vector()));
  sum(x).backward();
  CHECK_THAT(w.grad().to_vector(), near({0.5, 0.25}));
  CHECK_THAT(k.grad().to_vector(), near((-w.detach() / (k * k).detach()).to_vector()));
  Tensor y = w * 1;
  y /= y;
  sum(y).backward();
  CHECK_THAT(w.grad().to_vector(), near({0.5, 0.25}));
}
