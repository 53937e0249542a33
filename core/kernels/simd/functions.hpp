#pragma once

#include "core/kernels/simd/elementwise.hpp"
#include "core/kernels/simd/math.hpp"

// Functions of one number, with the errors of math.hpp. Near their zeros, slopes have a small
// absolute error only: below 3e-7.
namespace stepgrad::kernels {
namespace {

// σ(x) = 1/(1 + exp(-x)) = exp(x)/(1 + exp(x)): uses the form whose exp cannot overflow.
struct Logistic {
  Exponential e;  // exp(-|x|)
  V all;          // 1 + exp(-|x|)
  Mask negative;

  STEPGRAD_INLINE explicit Logistic(const V& x) : Logistic(x, Exponential(x | V(-0.f))) {}
  STEPGRAD_INLINE explicit Logistic(const TwoParts& x)
      : Logistic(x.high, Exponential(TwoParts{x.high | V(-0.f), x.low ^ sign_of(x.high) ^ V(-0.f)})) {}
  STEPGRAD_INLINE Logistic(const V& x, const Exponential& e)
      : e(e), all(V(1.f) + e.times(V(1.f))), negative(x < V(0.f)) {}
  STEPGRAD_INLINE V times(const V& factor) const {  // factor · σ(x)
    return divide(select(negative, e.times(factor), factor), all);
  }
  STEPGRAD_INLINE V rest() const {  // 1 - σ(x)
    return divide(select(negative, V(1.f), e.times(V(1.f))), all);
  }
};

// 2u of gelu_tanh, where (1 + tanh u)/2 = σ(2u): 2√(2/π) x (1 + 0.044715 x²). A small σ magnifies
// the error of 2u, so 2u is computed in two parts. Beyond ±15, σ is 0 or 1.
STEPGRAD_INLINE TwoParts twice_u(const V& x) {
  const V a(1.59576917f), a_low(-4.534e-8f), b(0.0713548139f), b_low(2.3988e-9f);
  const TwoParts xx = product(x, x), cubic = product(b, xx.high), slope = sum(a, cubic.high);
  const V low = slope.low + cubic.low + mul_add(b, xx.low, mul_add(b_low, xx.high, a_low));
  const TwoParts y = product(x, slope.high);
  return {y.high, mul_add(x, low, y.low)};
}
STEPGRAD_INLINE V within_15(const V& x) { return maximum(V(-15.f), minimum(V(15.f), x)); }

STEPGRAD_INLINE V sigmoid(const V& x) { return Logistic(x).times(V(1.f)); }

STEPGRAD_INLINE V trunc(const V& x) {  // from 2^23 on, all are whole
  const V whole = xsimd::to_float(xsimd::to_int(x)) | sign_of(x);
  return select(xsimd::abs(x) < V(8388608.f), whole, x);
}

// x Φ(x) = max(x, 0) - |x| Φ(-|x|), -0 far to the left, and NaN at minus infinity.
STEPGRAD_INLINE V gelu(const V& x) {
  const NormalTail tail(x);
  const V positive = mul_add(minimum(V(0.f), x), V(0.f), maximum(V(-0.f), x));
  return mul_add(tail.x * tail.g, tail.e.times(V(1.f)), positive);
}
STEPGRAD_INLINE V gelu_slope(const V& x) {  // Φ(x) + x φ(x), and NaN at an infinity
  const NormalTail tail(x);
  const V slope = tail.e.times(mul_add(tail.x, V(0.39894228f), tail.g));
  return mul_add(x, V(0.f), select(x < V(0.f), slope, V(1.f) - slope));
}

STEPGRAD_INLINE V gelu_tanh(const V& x) {  // NaN at minus infinity
  const V y = Logistic(twice_u(within_15(x))).times(maximum(V(-15.f), x));
  return mul_add(minimum(V(0.f), x), V(0.f), y);
}
STEPGRAD_INLINE V gelu_tanh_slope(const V& x) {  // σ + x σ(1 - σ) (2u)'
  const V inside = within_15(x);
  const Logistic s(twice_u(inside));
  const V slope = V(1.59576912f) * mul_add(V(0.134145f) * inside, inside, V(1.f));
  const V nan_if_infinite = x - x;
  return s.times(mul_add(inside * s.rest(), slope, V(1.f))) + nan_if_infinite;
}

STEPGRAD_INLINE V silu(const V& x) { return Logistic(x).times(x); }
STEPGRAD_INLINE V silu_slope(const V& x) {  // σ (1 + x (1 - σ))
  const Logistic s(x);
  return s.times(mul_add(x, s.rest(), V(1.f)));
}

// A bfloat16 is the upper half of a float. Rounds by adding half a unit, a little less before an
// even one.
STEPGRAD_INLINE V bfloat16(const V& x) {
  const I bits = same_bits<I>(x);
  const I up = bits + I(0x7fff) + ((bits >> 16) & I(1));
  return select(x == x, same_bits<V>(up & I(-0x10000)), x);
}

// Adding 1.5 · 2^(e + 13) to a number in [2^e, 2^(e + 1)) leaves 10 bits after its first. Below
// 2^-14, halves are 2^-24 apart.
STEPGRAD_INLINE V half(const V& x) {
  const V most(131072.f), infinity(__builtin_inff());
  const V inside = maximum(-most, minimum(most, x));
  const V power = same_bits<V>(same_bits<I>(inside) & I(0x7f800000));
  const V room = V(12288.f) * maximum(power, V(0x1p-14f));
  const V y = (xsimd::abs(inside) + room) - room;
  const V size = select(y > V(65504.f), infinity, y);
  return select(x == x, size | sign_of(x), x);
}

// pow uses doubles, since the error of log₂ a is multiplied by b. Error: within one unit in the
// last place on the tests' grid.
typedef double D __attribute__((vector_size(W / 2 * sizeof(double))));
typedef uint64_t DBits __attribute__((vector_size(W / 2 * sizeof(uint64_t))));

// log₂ of floats above zero: x = 2^e m, m in [√½, √2);  log m = 2 artanh(s), s = (m-1)/(m+1),
// |s| < 0.172, by its series, whose next term is below 1e-15.
STEPGRAD_INLINE D log2_of(const D& x) {
  const DBits bits = same_bits<DBits>(x) - same_bits<uint64_t>(0.70710678118654752440);
  const DBits e = (bits + (uint64_t{2047} << 52)) >> 52;  // 2047 too large
  const D m = same_bits<D>(same_bits<DBits>(x) - ((e - 2047) << 52));
  const D s = (m - 1) / (m + 1), s2 = s * s;
  D sum = s2 * (1. / 15) + 1. / 13;
  STEPGRAD_UNROLL
  for (int i = 11; i >= 1; i -= 2) sum = sum * s2 + 1. / i;
  const double two_52 = 4503599627370496;  // its last bits count ones
  const D whole = same_bits<D>(same_bits<uint64_t>(two_52) + e) - (two_52 + 2047);
  return whole + 2.88539008177792681472 * s * sum;  // 2 / ln 2
}

// 2^z = 2^n exp(f ln 2), n = round(z), by exp's series, whose next term is below 1e-14. For |z| <=
// 200, beyond a float's range.
STEPGRAD_INLINE D exp2_of(const D& z) {
  const double rounder = 6755399441055744;  // 1.5 · 2^52: adding it leaves no room for a fraction
  const D shifted = z + rounder, x = (z - (shifted - rounder)) * 0.69314718055994530942;
  D sum = x * (1. / 11) + 1;
  STEPGRAD_UNROLL
  for (int i = 10; i >= 1; --i) sum = 1 + sum * x * (1. / i);
  return sum * same_bits<D>((same_bits<DBits>(shifted) + 1023) << 52);
}

// a^b for a >= 0.
STEPGRAD_INLINE D power(const D& a, const D& b) {
  const D infinity = D{} + __builtin_inf();
  D z = log2_of(a);
  z = a == 0 ? -infinity : z;
  z = (a == infinity ? infinity : z) * b;
  z = a == 1 ? D{} : z;  // also for an infinite b
  const D inside = z < -200 ? D{} - 200 : z > 200 ? D{} + 200 : z;
  return z == z ? exp2_of(inside) : z;
}

// As in C: 1^b = a^0 = 1 even if the other is a NaN; a negative a has whole powers only, negative
// if b is odd.
STEPGRAD_INLINE V pow(const V& a, const V& b) {
  typedef float Half __attribute__((vector_size(W / 2 * sizeof(float))));
  alignas(64) Half x[2], p[2];
  store(reinterpret_cast<float*>(x), xsimd::abs(a)), store(reinterpret_cast<float*>(p), b);
  STEPGRAD_UNROLL
  for (int i = 0; i < 2; ++i) {
    const D y = power(__builtin_convertvector(x[i], D), __builtin_convertvector(p[i], D));
    x[i] = __builtin_convertvector(y, Half);
  }
  V y = load(reinterpret_cast<const float*>(x));
  y = select((a == a) & (b == b), y, a + b);
  const V size = xsimd::abs(b), infinity(__builtin_inff());
  const I whole = xsimd::to_int(select(size < V(16777216.f), b, V(0.f)));  // else b is even
  const Mask root = (size < V(16777216.f)) & (xsimd::to_float(whole) != b);
  y = y | select(root, V(0.f), same_bits<V>(whole << 31) & a);
  y = select(root & (a < V(0.f)) & (a > -infinity), V(__builtin_nanf("")), y);
  return select((a == V(1.f)) | (b == V(0.f)), V(1.f), y);
}

void exp(int64_t n, const float* x, float* y) { map<exp>(n, x, y); }
void log(int64_t n, const float* x, float* y) { map<log>(n, x, y); }
void sqrt(int64_t n, const float* x, float* y) { map<square_root>(n, x, y); }
void tanh(int64_t n, const float* x, float* y) { map<tanh>(n, x, y); }
void sigmoid(int64_t n, const float* x, float* y) { map<sigmoid>(n, x, y); }
void erf(int64_t n, const float* x, float* y) { map<erf>(n, x, y); }
void trunc(int64_t n, const float* x, float* y) { map<trunc>(n, x, y); }
void gelu(int64_t n, const float* x, float* y) { map<gelu>(n, x, y); }
void gelu_tanh(int64_t n, const float* x, float* y) { map<gelu_tanh>(n, x, y); }
void silu(int64_t n, const float* x, float* y) { map<silu>(n, x, y); }
void bfloat16(int64_t n, const float* x, float* y) { map<bfloat16>(n, x, y); }
void half(int64_t n, const float* x, float* y) { map<half>(n, x, y); }

// dx = dy slope(x)
template <V (*slope)(const V&)>
STEPGRAD_INLINE void map_slope(int64_t n, const float* dy, const float* x, float* dx) {
  map(n, dy, x, dx, [](V dy, V x) STEPGRAD_LAMBDA { return dy * slope(x); });
}
void gelu_grad(int64_t n, const float* dy, const float* x, float* dx) { map_slope<gelu_slope>(n, dy, x, dx); }
void gelu_tanh_grad(int64_t n, const float* dy, const float* x, float* dx) { map_slope<gelu_tanh_slope>(n, dy, x, dx); }
void silu_grad(int64_t n, const float* dy, const float* x, float* dx) { map_slope<silu_slope>(n, dy, x, dx); }

void sigmoid_grad(int64_t n, const float* dy, const float* y, float* dx) {
  map(n, dy, y, dx, [](V dy, V y) { return dy * y * (V(1.f) - y); });
}
void tanh_grad(int64_t n, const float* dy, const float* y, float* dx) {
  map(n, dy, y, dx, [](V dy, V y) { return dy * (V(1.f) - y * y); });
}

void pow(const Strides& s, const float* a, const float* b, float* y) {
  map_strided(s, a, b, y, [](V a, V b) { return pow(a, b); });
}

}
}
