#pragma once

#include "core/kernels/simd/vector.hpp"

// exp and log of vectors, to about 1 ulp. Both split off a power of two, so that a short
// polynomial on a small interval is left. The polynomials are minimax fits in float.
namespace stepgrad::kernels {
namespace {

// 2^n for whole n in [-126, 127], by writing the exponent.
STEPGRAD_INLINE V power_of_two(const I& n) { return same_bits<V>((n + I(127)) << 23); }

// exp(x) = 2^n exp(r),  n = round(x / ln 2),  r = x - n ln 2 in [-0.35, 0.35]
// n ln 2 is taken off in two parts, of which the first has few bits: its product with n is exact.
STEPGRAD_INLINE V exp(const V& x) {
  const V ln2_high(0.693359375f), ln2_low(-2.12194440e-4f);
  const V rounder(12582912.f);  // 1.5 · 2^23: adding it leaves no room for a fraction
  const V inside = xsimd::max(V(-104.f), xsimd::min(V(89.f), x));  // beyond: 0 and infinity
  const V n = mul_add(inside, V(1.44269504f), rounder) - rounder;
  const V r = mul_add(-n, ln2_low, mul_add(-n, ln2_high, inside));
  V p(1.9875691e-4f);
  p = mul_add(p, r, V(1.3981999e-3f));
  p = mul_add(p, r, V(8.3334519e-3f));
  p = mul_add(p, r, V(4.1665796e-2f));
  p = mul_add(p, r, V(1.6666665e-1f));
  p = mul_add(p, r, V(5.0000001e-1f));
  p = mul_add(p * r, r, r) + V(1.f);
  const I whole = xsimd::to_int(n), half = whole >> 1;  // 2^n itself may not be a normal number
  const V y = p * power_of_two(half) * power_of_two(whole - half);
  return select(x == x, y, x);
}

// log(x) = n ln 2 + log(m),  x = 2^n m,  m in [0.71, 1.42)
// log(1 + f) = f - f²/2 + f³ P(f). log(0) = -inf, log(x < 0) = NaN.
STEPGRAD_INLINE V log(const V& x) {
  const auto tiny = x < V(1.17549435e-38f);  // below the normal numbers: 2^23 x is one
  const I bits = same_bits<I>(select(tiny, x * V(8388608.f), x));
  const I root_half(0x3f3504f3);  // √½
  const I n = (bits - root_half) >> 23;
  const V m = same_bits<V>(bits - (n << 23));
  const V e = xsimd::to_float(n) - select(tiny, V(23.f), V(0.f));
  const V f = m - V(1.f), ff = f * f;
  V p(7.0376836292e-2f);
  p = mul_add(p, f, V(-1.1514610310e-1f));
  p = mul_add(p, f, V(1.1676998740e-1f));
  p = mul_add(p, f, V(-1.2420140846e-1f));
  p = mul_add(p, f, V(1.4249322787e-1f));
  p = mul_add(p, f, V(-1.6668057665e-1f));
  p = mul_add(p, f, V(2.0000714765e-1f));
  p = mul_add(p, f, V(-2.4999993993e-1f));
  p = mul_add(p, f, V(3.3333331174e-1f));
  const V low = mul_add(e, V(-2.12194440e-4f), mul_add(p * f, ff, V(-0.5f) * ff));
  const V y = mul_add(e, V(0.693359375f), f + low);
  const V infinity(__builtin_inff());
  const V outside = select(x < V(0.f), V(__builtin_nanf("")), x);  // infinity and NaN stay
  return select(x == V(0.f), -infinity, select((x > V(0.f)) & (x < infinity), y, outside));
}

}  // namespace
}  // namespace stepgrad::kernels
