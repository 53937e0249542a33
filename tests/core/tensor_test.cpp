#include <cstdint>
#include <limits>

#include "tests/support/test.hpp"

TEST_CASE("Values that do not fill the shape are refused") {
  CHECK_ERROR(ShapeError, Tensor::from({1, 2, 3}, {2, 2}), "from: 3 values do not fill [2, 2]");
}

TEST_CASE("A negative size and too many dimensions are refused") {
  CHECK_ERROR(ShapeError, Tensor::empty({2, -1}), "empty: [2, -1] has a negative size");
  CHECK_ERROR(ShapeError, Tensor::empty({1, 1, 1, 1, 1, 1, 1}), "shape: 7 dimensions, and at most 6 are supported");
}

TEST_CASE("at() counts from the end for a negative index and refuses one that is outside") {
  const Tensor x = Tensor::of({{1, 2, 3}, {4, 5, 6}});
  CHECK(x.at(1, 2) == 6);
  CHECK(x.at(-1, -3) == 4);
  CHECK_ERROR(IndexError, x.at(2, 0), "at: index 2 is outside [2, 3]");
  CHECK_ERROR(IndexError, x.at(0, -4), "at: index -4 is outside [2, 3]");
  CHECK_ERROR(IndexError, x.at(0), "at: 1 indices into [2, 3]");
}

TEST_CASE("An undefined tensor prints as such") {
  CHECK_FALSE(Tensor().defined());
  CHECK(text_of(Tensor::ones({2}).grad()) == "undefined");
}

TEST_CASE("fill_ and copy_ are not recorded, so they are refused on the tape") {
  const Tensor w = parameter({1, 2}), x = Tensor::of({3, 4});
  CHECK_ERROR(TapeError, w.fill_(0), "fill_: [2] is on the tape, and fill_ is not recorded");
  const std::string copy = "copy_: [2] or its source is on the tape, and copy_ is not recorded";
  CHECK_ERROR(TapeError, w.copy_(x), copy);
  CHECK_ERROR(TapeError, x.copy_(w), copy);
  CHECK_ERROR(ShapeError, x.copy_(Tensor::ones({1, 2})), "copy_: [1, 2] into [2]");
  CHECK(w.to_vector() == Values{1, 2});
  CHECK(x.to_vector() == Values{3, 4});
  const NoGrad no_grad;
  CHECK(w.fill_(0).to_vector() == Values{0, 0});
  CHECK(x.copy_(w).to_vector() == Values{0, 0});
}

TEST_CASE("Numbers of any type, in variables too, and nested as deep as there are dimensions") {
  const int n = 3;
  const int64_t big = 4;
  const double half = 0.5;
  CHECK(Tensor::of({n, big, half}).to_vector() == Values{3, 4, 0.5});
  CHECK(Tensor::of({{{1, 2}, {3, 4}}, {{5, 6}, {7, n}}}).shape() == Shape{2, 2, 2});
  CHECK(Tensor::of(5).shape() == Shape{});
  CHECK(Tensor::of({}).shape() == Shape{0});
  CHECK(Tensor::of({{{{{{1}}}}}}).shape() == Shape{1, 1, 1, 1, 1, 1});
  CHECK_THROWS_AS(Tensor::of({{{1, 2}, {3, 4}}, {{5, 6}}}), ShapeError);
  CHECK(Tensor::from(std::vector<double>{1, 2}, {2, 1}).shape() == Shape{2, 1});
  CHECK(Tensor::from(std::vector<int>{1, 2}).to_vector() == Values{1, 2});
}

TEST_CASE("An integer is compared with a Scalar exactly, also where no Scalar or double holds it") {
  constexpr int64_t most = std::numeric_limits<int64_t>::max(), least = -most - 1;
  constexpr Scalar power_63 = Scalar(uint64_t{1} << 63);
  for (const int bits : {53, 60}) {  // beyond 2^53 a double holds every second integer at most
    const int64_t whole = int64_t{1} << bits;
    for (const int64_t sign : {1, -1}) {
      CHECK(is_exactly(Scalar(sign * whole), sign * whole));
      CHECK(!is_exactly(Scalar(sign * whole), sign * (whole + 1)));
    }
  }
  CHECK(is_exactly(-power_63, least));
  CHECK(!is_exactly(-power_63, least + 1));
  CHECK(!is_exactly(power_63, most));  // 2^63 - 1
  CHECK(!is_exactly(power_63, least));
  CHECK(is_exactly(power_63, uint64_t{1} << 63));
  CHECK(!is_exactly(2 * power_63, std::numeric_limits<uint64_t>::max()));
  CHECK(!is_exactly(Scalar(-1), std::numeric_limits<uint64_t>::max()));
  CHECK(is_exactly(Scalar(-0.), 0));
  CHECK(!is_exactly(Scalar(2.5), 2));
  CHECK(is_exactly(Scalar(1), true));
  for (const Scalar x : {std::numeric_limits<Scalar>::quiet_NaN(), std::numeric_limits<Scalar>::infinity()}) {
    CHECK(!is_exactly(x, most));
    CHECK(!is_exactly(-x, least));
  }
  CHECK_THROWS_AS(Tensor::of(most), ValueError);
  CHECK(Tensor::of(least).item() == -power_63);
}

TEST_CASE("A tensor of a vector has its values, and one of vectors a row for each") {
  const Tensor x = Tensor::of(std::vector<std::vector<int>>{{1, 2}, {3, 4}});
  CHECK(text_of(x, x.shape()) == text_of(Tensor::of({{1, 2}, {3, 4}}), Shape{2, 2}));
  CHECK(Tensor::of(std::vector<float>{1, 2.5}).to_vector() == Values{1, 2.5});
  CHECK(Tensor::of(std::vector<int>{}).shape() == Shape{0});
  CHECK_ERROR(ShapeError, Tensor::of(std::vector<std::vector<int>>{{1, 2}, {3}}), "of: a row of [2] and one of [1]");
}
