#include "core/kernels/philox.hpp"

#include <algorithm>
#include <array>

#include "core/tensor/random.hpp"
#include "tests/support/expect.hpp"

using namespace stepgrad;

namespace {

using Words = std::array<uint32_t, 4>;

Words words(const kernels::Philox& x) {
  const kernels::Philox y = kernels::philox(x);
  return {y.counter[0], y.counter[1], y.counter[2], y.counter[3]};
}

// The mean of f over all elements.
template <class F>
double mean_of(const Tensor& x, F f) {
  double sum = 0;
  for (Scalar value : x.to_vector()) sum += f(double{value});
  return sum / static_cast<double>(x.numel());
}

// The largest distance between the share of elements below a number and `share` of that number: at
// most 1.95 / √n in all but one of a thousand samples (Kolmogorov and Smirnov).
template <class F>
double distance(const Tensor& x, F share) {
  Values sorted = x.to_vector();
  std::sort(sorted.begin(), sorted.end());
  double largest = 0;
  for (size_t i = 0; i < sorted.size(); ++i) {
    const double below = static_cast<double>(i) / static_cast<double>(sorted.size());
    largest = std::max(largest, std::abs(share(double{sorted[i]}) - below));
  }
  return largest;
}

double correlation(const Values& a, const Values& b, double mean, double variance) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += (a[i] - mean) * (b[i] - mean);
  return sum / variance / static_cast<double>(a.size());
}

}  // namespace

TEST_CASE("Philox gives the words that its authors publish") {
  CHECK(words({{0, 0, 0, 0}, {0, 0}}) == Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  CHECK(words({{~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}}) ==
        Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(words({{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}}) ==
        Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("Each number of rand is the word of its row, column, call and seed") {
  const uint64_t seed = 0x123456789abcdef0, call = 0x500000007;
  set_random_state({seed, call});
  const Tensor x = Tensor::rand({2, 3, 7});
  for (int64_t i = 0; i < x.numel(); ++i) {
    const auto row = static_cast<uint32_t>(i / 7), column = static_cast<uint32_t>(i % 7);
    const Words word = words({{column / 4, row, 7, 5}, {0x9abcdef0, 0x12345678}});
    CHECK(x.data()[i] == static_cast<Scalar>(word[column % 4] >> 8) / Scalar(1 << 24));
  }
}

TEST_CASE(
    "Each two numbers of randn are those of Box and Muller, by the library's log, cos and sin") {
  set_random_state({3, 4});
  const Tensor x = Tensor::randn({50, 8});
  for (int64_t i = 0; i < x.numel(); ++i) {
    const auto row = static_cast<uint32_t>(i / 8), column = static_cast<uint32_t>(i % 8);
    const Words word = words({{column / 4, row, 4, 0}, {3, 0}});
    const uint32_t first = column % 4 / 2 * 2;
    const double radius = std::sqrt(-2 * std::log((word[first] + 1.0) * 0x1p-32));
    const double angle = 2 * std::acos(-1.0) * word[first + 1] * 0x1p-32;
    const double normal = radius * (column % 2 ? std::sin(angle) : std::cos(angle));
    CHECK(double{x.data()[i]} == Approx(normal).epsilon(0).margin(10 * epsilon));
  }
}

TEST_CASE("rand is uniform from 0 up to 1") {
  manual_seed(1);
  const Tensor x = Tensor::rand({1000, 1000});
  const auto [least, most] = std::minmax_element(x.data(), x.data() + x.numel());
  CHECK(*least >= 0);
  CHECK(*most < 1);
  CHECK(std::abs(mean_of(x, [](double v) { return v; }) - 0.5) < 4 * 0.289e-3);
  CHECK(std::abs(mean_of(x, [](double v) { return v * v; }) - 1.0 / 3) < 4 * 0.298e-3);
  CHECK(distance(x, [](double v) { return v; }) < 1.95e-3);
}

TEST_CASE("randn is normal with mean 0 and variance 1") {
  manual_seed(2);
  const Tensor x = Tensor::randn({1000, 1000});
  CHECK(std::abs(mean_of(x, [](double v) { return v; })) < 4e-3);
  CHECK(std::abs(mean_of(x, [](double v) { return v * v; }) - 1) < 4 * 1.41e-3);
  CHECK(std::abs(mean_of(x, [](double v) { return v * v * v; })) < 4 * 3.87e-3);
  CHECK(std::abs(mean_of(x, [](double v) { return v * v * v * v; }) - 3) < 4 * 9.8e-3);
  CHECK(distance(x, [](double v) { return std::erfc(-v / std::sqrt(2.0)) / 2; }) < 1.95e-3);
}

TEST_CASE("Neighbours, rows and calls are not correlated") {
  manual_seed(3);
  for (const auto& [draw, mean, variance] :
       {std::tuple(&Tensor::rand, 0.5, 1.0 / 12), std::tuple(&Tensor::randn, 0.0, 1.0)}) {
    const Values x = draw({500, 200}).to_vector(), y = draw({500, 200}).to_vector();
    const double bound = 4 / std::sqrt(1e5);
    CHECK(std::abs(correlation(x, y, mean, variance)) < bound);
    for (size_t lag : {1, 2, 3, 4, 200}) {
      Values later(x.begin() + static_cast<int64_t>(lag), x.end());
      CHECK(std::abs(correlation(later, x, mean, variance)) < bound);
    }
  }
}
