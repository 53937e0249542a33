#pragma once

#include "core/kernels/simd/vector.hpp"

// exp, log, tanh, erf and the normal distribution of vectors. Each reduces its argument to a small
// interval with a short polynomial. Those of exp and log are minimax fits in float; those of tanh
// and erf are from Remez's algorithm in 40 digits, for the least relative error, then rounded to
// floats. The normal distribution's quotient is a least-squares fit in double, reweighted to
// minimise the largest relative error; after each rounded coefficient, the others were fitted
// again.
//
// The largest errors over every 1009th float, in units in the last place of the exact result, which
// may be subnormal:
//
//   exp 0.9   log 0.8   tanh 1.3   erf 1.2   sigmoid 2.2   silu 2.7   gelu_tanh 2.5
//
// gelu over every 37th float of [-15, -0.03]: 4.9. Without fused multiply-adds: exp 1.2, sigmoid
// 2.3, silu 2.8, gelu_tanh 3.0, gelu 6.3.
namespace stepgrad::kernels {
namespace {

// c₀xⁿ + c₁xⁿ⁻¹ + ... + cₙ
template <class... C>
STEPGRAD_INLINE V polynomial(const V& x, float c0, C... c) {
  V p(c0);
  ((p = mul_add(p, x, V(c))), ...);
  return p;
}

// A number as a sum of two floats; the second is the rounding error of the first.
struct TwoParts {
  V high, low;
};

STEPGRAD_INLINE TwoParts product(const V& a, const V& b) {
  const V high = a * b;
#if defined(__SSE2__) && !defined(__FMA__)  // the halves' products are exact (Dekker 1971)
  const V half = same_bits<V>(I(-0x1000));
  const V a1 = a & half, a2 = a - a1, b1 = b & half, b2 = b - b1;
  return {high, ((a1 * b1 - high) + a1 * b2 + a2 * b1) + a2 * b2};
#else
  return {high, mul_add(a, b, -high)};
#endif
}

STEPGRAD_INLINE TwoParts sum(const V& a, const V& b) {  // Knuth, TAOCP 2, 4.2.2
  const V high = a + b, from_b = high - a;
  return {high, (a - (high - from_b)) + (b - from_b)};
}

// 2^n for whole n in [-126, 127], by writing the exponent.
STEPGRAD_INLINE V power_of_two(const I& n) { return same_bits<V>((n + I(127)) << 23); }

// factor · exp(x + low) for a small |low| and several factors. Factors come before the powers of
// two, so that a subnormal result is rounded once.
//
// exp(x) = 2^n exp(r),  n = round(x / ln 2),  r = x - n ln 2 in [-0.35, 0.35]
// n ln 2 is subtracted in two parts; the first has few bits, so its product with n is exact.
// exp(r) = 1 + r + r² P(r), with a relative error of 3.2e-9.
struct Exponential {
  V p;
#ifdef __AVX512F__
  V n;
#else
  V power, rest;  // in two factors, since 2^n may be subnormal
#endif

  STEPGRAD_INLINE explicit Exponential(const V& x) : Exponential(x, nullptr, false) {}
  // bounded: x is known to be in [-110, 88].
  STEPGRAD_INLINE explicit Exponential(const TwoParts& x, bool bounded = false)
      : Exponential(x.high, &x.low, bounded) {}
  STEPGRAD_INLINE Exponential(const V& x, const V* low, bool bounded) {
    const V ln2_high(0.693359375f), ln2_low(-2.12194440e-4f);
    const V rounder(12582912.f);  // 1.5 · 2^23: adding it leaves no room for a fraction
#ifdef __AVX512F__
    const V inside = x;
#else  // beyond, it is 0 and infinity
    const V inside = bounded ? x : maximum(V(-150.f), minimum(V(89.f), x));
#endif
    const V whole = mul_add(inside, V(1.44269504f), rounder) - rounder;
    V r = mul_add(whole, -ln2_high, inside);
    r = low ? r + mul_add(whole, -ln2_low, *low) : mul_add(whole, -ln2_low, r);
#ifdef __AVX512F__  // r is anything where |x| is large, but then 2^n is 0 or infinity
    if (!bounded) r = _mm512_range_ps(r, V(0.35f), 0b0010);  // min(|r|, 0.35), with r's sign
#endif
    p = polynomial(r, 1.3821196e-3f, 8.36866628e-3f, 4.16682586e-2f, 1.66665211e-1f, 4.9999994e-1f, 1.f, 1.f);
#ifdef __AVX512F__
    n = whole;
  }
  STEPGRAD_INLINE V times(const V& factor) const { return _mm512_scalef_ps(p * factor, n); }
#else
    const I n = xsimd::to_int(whole), half = n >> 1;
    power = power_of_two(half);
    rest = power_of_two(n - half);
    if (!bounded) rest = select(x < V(-150.f), V(0.f), rest);
  }
  STEPGRAD_INLINE V times(const V& factor) const { return p * factor * power * rest; }
#endif
};

STEPGRAD_INLINE V exp(const V& x) { return Exponential(x).times(V(1.f)); }

// log(x) = n ln 2 + log(m),  x = 2^n m,  m in [0.71, 1.42)
// log(1 + f) = f - f²/2 + f³ P(f). log(0) = -inf, log(x < 0) = NaN.
STEPGRAD_INLINE V log(const V& x) {
  const auto tiny = x < V(1.17549435e-38f);  // subnormal: 2^23 x is normal
  const I bits = same_bits<I>(select(tiny, x * V(8388608.f), x));
  const I root_half(0x3f3504f3);  // √½
  const I n = (bits - root_half) >> 23;
  const V m = same_bits<V>(bits - (n << 23));
  const V e = xsimd::to_float(n) - select(tiny, V(23.f), V(0.f));
  const V f = m - V(1.f), ff = f * f;
  const V p = polynomial(f, 7.0376836292e-2f, -1.1514610310e-1f, 1.1676998740e-1f, -1.2420140846e-1f, 1.4249322787e-1f,
      -1.6668057665e-1f, 2.0000714765e-1f, -2.4999993993e-1f, 3.3333331174e-1f);
  const V low = mul_add(e, V(-2.12194440e-4f), mul_add(p * f, ff, V(-0.5f) * ff));
  const V y = mul_add(e, V(0.693359375f), f + low);
  const V infinity(__builtin_inff());
  const V outside = select(x < V(0.f), V(__builtin_nanf("")), x);  // infinity and NaN stay
  return select(x == V(0.f), -infinity, select((x > V(0.f)) & (x < infinity), y, outside));
}

STEPGRAD_INLINE V sign_of(const V& x) { return x & V(-0.f); }

// tanh(x) = x + x³ P(x²) below 5/8, else 1 - 2/(exp(2x) + 1).
STEPGRAD_INLINE V tanh(const V& x) {
  const V size = xsimd::abs(x), xx = x * x;
  const V p =
      polynomial(xx, 2.2928151e-3f, -8.3440151e-3f, 2.1768943e-2f, -5.3959262e-2f, 1.3333304e-1f, -3.3333334e-1f);
  const V large = V(1.f) - divide(V(2.f), exp(size + size) + V(1.f));
  return select(size < V(0.625f), mul_add(xx * x, p, x), large) | sign_of(x);
}

// Φ(x) = g(x) exp(-x²/2) for x <= 0, Φ the normal distribution. The quotient g has a relative error
// of 2e-8; its two polynomials were scaled for a small error of gelu. Below -14.75, x Φ(x) is 0.
struct NormalTail {
  V x, g;
  Exponential e;

  STEPGRAD_INLINE explicit NormalTail(const V& of)  // Φ(-|of|)
      : x(maximum(V(-14.75f), of | V(-0.f))), e(product(V(-0.5f) * x, x), true) {
    const V xx = x * x;
    const V p = mul_add(xx, V(0.00362239522f), mul_add(x, V(-0.0357582308f), V(0.161251128f)));
    const V q =
        mul_add(xx, mul_add(x, V(-0.00907989312f), V(0.0896382555f)), mul_add(x, V(-0.413144916f), V(1.05822277f)));
    g = divide(mul_add(xx, p, mul_add(x, V(-0.385706872f), V(0.439999998f))),
        mul_add(xx, q, mul_add(x, V(-1.47355258f), V(0.879999995f))));
  }
};

// erf(x) = x + x P(x²) below 1, else 1 - 2 Φ(-√2 x).
STEPGRAD_INLINE V erf(const V& x) {
  const V size = xsimd::abs(x), xx = size * size;
  const V p = polynomial(
      xx, 7.9340287e-5f, -8.0294727e-4f, 5.189782e-3f, -2.6854064e-2f, 1.1283574e-1f, -3.7612623e-1f, 1.2837917e-1f);
  const NormalTail tail(size * V(1.41421356f));
  const V large = V(1.f) - tail.e.times(tail.g + tail.g);
  return select(size < V(1.f), mul_add(x, p, x), large) | sign_of(x);
}

}
}
