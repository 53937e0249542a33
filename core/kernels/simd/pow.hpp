#pragma once

#include "core/kernels/simd/math.hpp"

// pow, by way of doubles: the error of log₂ a is multiplied by b. A compiler makes vectors of the
// loop below. Within one unit in the last place on the tests' grid.
namespace stepgrad::kernels {
namespace {

// log₂ of a float above zero: x = 2^e m, m in [√½, √2);  log m = 2 artanh(s), s = (m-1)/(m+1),
// |s| < 0.172, by its series, whose next term is below 1e-15.
STEPGRAD_INLINE double log2_of(double x) {
  const auto bits = same_bits<uint64_t>(x) - same_bits<uint64_t>(0.70710678118654752440);
  const uint64_t e = (bits + (uint64_t{2047} << 52)) >> 52;  // 2047 more than it is
  const double m = same_bits<double>(same_bits<uint64_t>(x) - ((e - 2047) << 52));
  const double s = (m - 1) / (m + 1), s2 = s * s;
  double sum = 1. / 15;
  sum = sum * s2 + 1. / 13;
  sum = sum * s2 + 1. / 11;
  sum = sum * s2 + 1. / 9;
  sum = sum * s2 + 1. / 7;
  sum = sum * s2 + 1. / 5;
  sum = sum * s2 + 1. / 3;
  sum = sum * s2 + 1;
  const double two_52 = 4503599627370496;  // its last bits count ones
  const double whole = same_bits<double>(same_bits<uint64_t>(two_52) + e) - (two_52 + 2047);
  return whole + 2.88539008177792681472 * s * sum;  // 2 / ln 2
}

// 2^z = 2^n exp(f ln 2), n = round(z), by exp's series, whose next term is below 1e-14. For |z| up
// to 200, more than a float's powers.
STEPGRAD_INLINE double exp2_of(double z) {
  const double rounder = 6755399441055744;  // 1.5 · 2^52: adding it leaves no room for a fraction
  const double shifted = z + rounder, x = (z - (shifted - rounder)) * 0.69314718055994530942;
  double sum = 1;
  STEPGRAD_UNROLL
  for (int i = 11; i >= 1; --i) sum = 1 + sum * x * (1. / i);
  return sum * same_bits<double>((same_bits<uint64_t>(shifted) + 1023) << 52);
}

// a^b for a >= 0.
STEPGRAD_INLINE float power(float a, float b) {
  const double infinity = __builtin_inf();
  double log2 = log2_of(a);
  log2 = a == 0 ? -infinity : log2;
  log2 = a == __builtin_inff() ? infinity : log2;
  double z = log2 * b;
  z = a == 1 ? 0 : z;  // for an infinite b, too
  z = z < -200 ? -200 : z;
  z = z > 200 ? 200 : z;
  return static_cast<float>(z == z ? exp2_of(z) : z);
}

// As C has it: 1^b = a^0 = 1 even if the other is a NaN; a negative number may be raised to whole
// powers, and keeps its sign if they are odd.
struct Pow {
  STEPGRAD_INLINE V operator()(V a, V b) const {
    alignas(64) float x[W], p[W];
    xsimd::abs(a).store_aligned(x), b.store_aligned(p);
    for (int i = 0; i < W; ++i) x[i] = power(x[i], p[i]);
    V y = V::load_aligned(x);
    y = select((a == a) & (b == b), y, a + b);
    const V size = xsimd::abs(b), infinity(__builtin_inff());
    const I whole = xsimd::to_int(select(size < V(16777216.f), b, V(0.f)));  // else b is even
    const Mask root = (size < V(16777216.f)) & (xsimd::to_float(whole) != b);
    y = y | select(root, V(0.f), same_bits<V>(whole << 31) & a);
    y = select(root & (a < V(0.f)) & (a > -infinity), V(__builtin_nanf("")), y);
    return select((a == V(1.f)) | (b == V(0.f)), V(1.f), y);
  }
};

}  // namespace
}  // namespace stepgrad::kernels
