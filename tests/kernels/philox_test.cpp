#include "core/kernels/philox.hpp"

#include <array>

#include "core/tensor/random.hpp"
#include "tests/support/expect.hpp"

namespace {

using Words = std::array<uint32_t, 4>;

Words words(const kernels::Philox& x) {
  const kernels::Philox y = kernels::philox(x);
  return {y.counter[0], y.counter[1], y.counter[2], y.counter[3]};
}

}

TEST_CASE("Philox gives the words that its authors publish") {
  CHECK(words({{0, 0, 0, 0}, {0, 0}}) == Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  CHECK(words({{~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}}) == Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(words({{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}}) ==
      Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("Each number of rand is the word of its row, column, call and seed") {
  const uint64_t seed = 0x123456789abcdef0, call = 0x500000007;
  set_random_state({seed, call});
  const Tensor x = Tensor::rand({2, 3, 7});
  for (int64_t i = 0; i < x.numel(); ++i) {
    const auto row = uint32_t(i / 7), column = uint32_t(i % 7);
    const Words word = words({{column / 4, row, 7, 5}, {0x9abcdef0, 0x12345678}});
    CHECK(x.data()[i] == Scalar(word[column % 4] >> 8) / Scalar(1 << 24));
  }
}

TEST_CASE("Each two numbers of randn are those of Box and Muller, by the library's log, cos and sin") {
  set_random_state({3, 4});
  const Tensor x = Tensor::randn({2000, 8});
  for (int64_t i = 0; i < x.numel(); ++i) {
    const auto row = uint32_t(i / 8), column = uint32_t(i % 8);
    const Words word = words({{column / 4, row, 4, 0}, {3, 0}});
    const uint32_t first = column % 4 / 2 * 2;
    const double radius = std::sqrt(-2 * std::log((word[first] + 1.0) * 0x1p-32));
    const double angle = 2 * std::acos(-1.0) * word[first + 1] * 0x1p-32;
    const double normal = radius * (column % 2 ? std::sin(angle) : std::cos(angle));
    CHECK(double{x.data()[i]} == Approx(normal).epsilon(0).margin(20 * epsilon));
  }
}
