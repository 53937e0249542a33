#include <cmath>

#include "core/kernels/philox.hpp"
#include "core/kernels/table.hpp"
#include "core/kernels/threads.hpp"

// This file is compiled without contraction, and uses only operations that IEEE 754 rounds exactly:
// + - * /, sqrt and conversions. It has its own log and cos, since libm differs between machines.
namespace stepgrad::kernels {
namespace {

constexpr double pi = 3.14159265358979323846;

// x = 2^e · m with m in [√½, √2);  log m = 2·artanh(s), s = (m-1)/(m+1), |s| < 0.172, by its
// series, whose next term is below 1e-18.
double log_of(double x) {
  const auto bits = __builtin_bit_cast(uint64_t, x);
  int e = int(bits >> 52) - 1023;
  double m = __builtin_bit_cast(double, (bits & 0xFFFFFFFFFFFFF) | 0x3FF0000000000000);
  if (m > 1.41421356237309504880) m *= 0.5, ++e;
  const double s = (m - 1) / (m + 1), s2 = s * s;
  double sum = 0;
  for (int i = 21; i >= 1; i -= 2) sum = sum * s2 + 1.0 / i;
  return e * 0.69314718055994530942 + 2 * s * sum;
}

// cos(2π·turn) for turn in [0, 1): folded to an angle in [0, π/2], then cosine's series, whose next
// term is below 1e-17.
double cos_of_turn(double turn) {
  const double folded = turn < 0.5 ? turn : 1 - turn;            // cos is even
  const double quarter = folded < 0.25 ? folded : 0.5 - folded;  // cos(π - a) = -cos a
  const double a = 2 * pi * quarter, a2 = a * a;
  double sum = 0;
  for (int i = 20; i >= 2; i -= 2) sum = (1 + sum) * -a2 / (i * (i - 1));
  return folded < 0.25 ? 1 + sum : -(1 + sum);
}

// Box and Muller (1958): with u in (0, 1] and v in [0, 1) uniform, √(-2 log u)·cos(2πv) is normal,
// and so is √(-2 log u)·sin(2πv), a quarter of a turn later.
double box_muller(uint32_t u, uint32_t v, bool sine) {
  const double turn = v * 0x1p-32 + (sine ? 0.75 : 0);
  return std::sqrt(-2 * log_of((u + 1.0) * 0x1p-32)) * cos_of_turn(turn < 1 ? turn : turn - 1);
}

// Words 0 and 1 of a counter give elements 0 and 1; words 2 and 3 give elements 2 and 3.
void normal_row(const Draw& d, int64_t r, Scalar* y) {
  Philox words{};
  for (int64_t c = 0; c < d.n; ++c) {
    if (c % 4 == 0) words = philox(d.seed, d.call, d.first_row + r, c / 4);
    const int pair = c % 4 / 2 * 2;
    y[c] = Scalar(box_muller(words.counter[pair], words.counter[pair + 1], c % 2 == 1));
  }
}

struct Rows {
  const Draw& d;
  Scalar* y;
};

}

void normal(const Draw& d, Scalar* y) {
  const Rows rows{d, y};
  run_team(
      d.rows * d.n > 10'000 ? threads_to_share() : 1,
      [](const void* context, int64_t me, int64_t size) {
        const auto& [draw, at] = *static_cast<const Rows*>(context);
        for (int64_t r = draw.rows * me / size; r < draw.rows * (me + 1) / size; ++r)
          normal_row(draw, r, at + r * draw.n);
      },
      &rows);
}

}
