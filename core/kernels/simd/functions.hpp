#pragma once

#include "core/kernels/simd/elementwise.hpp"
#include "core/kernels/simd/math.hpp"

// Functions of one number; math.hpp says how exact they are. The slopes have zeros, near which only
// their absolute error is small: below 3e-7.
namespace stepgrad::kernels {
namespace {

// σ(x) = 1/(1 + exp(-x)) = exp(x)/(1 + exp(x)): of the two, the one whose exp cannot overflow.
struct Logistic {
  Exponential e;  // exp(-|x|)
  V all;          // 1 + exp(-|x|)
  Mask negative;

  STEPGRAD_INLINE explicit Logistic(const V& x, const V& low = V(0.f))
      : e(-xsimd::abs(x), low ^ sign_of(x) ^ V(-0.f)),
        all(V(1.f) + e.times(V(1.f))),
        negative(x < V(0.f)) {}
  STEPGRAD_INLINE V times(const V& factor) const {  // factor · σ(x)
    return divide(select(negative, e.times(factor), factor), all);
  }
  STEPGRAD_INLINE V rest() const {  // 1 - σ(x)
    return divide(select(negative, V(1.f), e.times(V(1.f))), all);
  }
};

// 2u of gelu_tanh, where (1 + tanh u)/2 = σ(2u): 2√(2/π) x (1 + 0.044715 x²). Where σ is small, it
// magnifies 2u's error, so that is computed in two parts. Beyond ±15, σ is 0 or 1.
STEPGRAD_INLINE TwoParts twice_u(const V& x) {
  const V a(1.59576917f), a_low(-4.534e-8f), b(0.0713548139f), b_low(2.3988e-9f);
  const TwoParts xx = product(x, x), cubic = product(b, xx.high), slope = sum(a, cubic.high);
  const V low = slope.low + cubic.low + mul_add(b, xx.low, mul_add(b_low, xx.high, a_low));
  const TwoParts y = product(x, slope.high);
  return {y.high, mul_add(x, low, y.low)};
}
STEPGRAD_INLINE V within_15(const V& x) { return maximum(V(-15.f), minimum(V(15.f), x)); }

struct Exp {
  STEPGRAD_INLINE V operator()(V x) const { return exp(x); }
};
struct Log {
  STEPGRAD_INLINE V operator()(V x) const { return log(x); }
};
struct Sqrt {
  STEPGRAD_INLINE V operator()(V x) const { return square_root(x); }
};
struct Tanh {
  STEPGRAD_INLINE V operator()(V x) const { return tanh(x); }
};
struct Sigmoid {
  STEPGRAD_INLINE V operator()(V x) const { return Logistic(x).times(V(1.f)); }
};
struct Erf {
  STEPGRAD_INLINE V operator()(V x) const { return erf(x); }
};
struct Trunc {  // from 2^23 on, all are whole
  STEPGRAD_INLINE V operator()(V x) const {
    const V whole = xsimd::to_float(xsimd::to_int(x)) | sign_of(x);
    return select(xsimd::abs(x) < V(8388608.f), whole, x);
  }
};
// x Φ(x). Near 0, Φ(x) = 1/2 + x P(x²).
struct Gelu {
  STEPGRAD_INLINE V operator()(V x) const {
    const V size = up_to_20(x), xx = size * size;
    V p(1.0294058e-4f);
    p = mul_add(p, xx, V(-1.181285e-3f));
    p = mul_add(p, xx, V(9.9723488e-3f));
    p = mul_add(p, xx, V(-6.6490293e-2f));
    p = mul_add(p, xx, V(3.9894229e-1f));
    const NormalTail tail(size);
    const V large = select(x < V(0.f), tail.times(x), x * (V(1.f) - tail.times(V(1.f))));
    return select(size < V(0.75f), x * mul_add(x, p, V(0.5f)), large);
  }
};
struct GeluGrad {
  STEPGRAD_INLINE V operator()(V dy, V x) const {  // Φ(x) + x φ(x)
    const NormalTail tail(up_to_20(x));
    const V slope = tail.e.times(mul_add(xsimd::abs(x), V(-0.39894228f), tail.g));
    return dy * select(x < V(0.f), slope, V(1.f) - slope);
  }
};
struct GeluTanh {
  STEPGRAD_INLINE V operator()(V x) const {
    const TwoParts u = twice_u(within_15(x));
    return Logistic(u.high, u.low).times(x);
  }
};
struct GeluTanhGrad {
  STEPGRAD_INLINE V operator()(V dy, V x) const {  // σ + x σ(1 - σ) (2u)'
    const V inside = within_15(x);
    const TwoParts u = twice_u(inside);
    const Logistic s(u.high, u.low);
    const V slope = V(1.59576912f) * mul_add(V(0.134145f) * inside, inside, V(1.f));
    return dy * s.times(mul_add(inside * s.rest(), slope, V(1.f)));
  }
};
struct Silu {
  STEPGRAD_INLINE V operator()(V x) const { return Logistic(x).times(x); }
};
struct SiluGrad {
  STEPGRAD_INLINE V operator()(V dy, V x) const {  // σ (1 + x (1 - σ))
    const Logistic s(x);
    return dy * s.times(mul_add(x, s.rest(), V(1.f)));
  }
};

// A bfloat16 is the upper half of a float. Half a unit is added, a little less before an even one.
struct BFloat16 {
  STEPGRAD_INLINE V operator()(V x) const {
    const I bits = same_bits<I>(x);
    const I up = bits + I(0x7fff) + ((bits >> 16) & I(1));
    return select(x == x, same_bits<V>(up & I(-0x10000)), x);
  }
};

// Adding 1.5 · 2^(e + 13) to a number of [2^e, 2^(e + 1)) leaves room for 10 bits behind its first.
// Below 2^-14, halves are all 2^-24 apart.
struct Half {
  STEPGRAD_INLINE V operator()(V x) const {
    const V most(131072.f), infinity(__builtin_inff());
    const V inside = maximum(-most, minimum(most, x));
    const V power = same_bits<V>(same_bits<I>(inside) & I(0x7f800000));
    const V room = V(12288.f) * maximum(power, V(0x1p-14f));
    const V y = (xsimd::abs(inside) + room) - room;
    const V size = select(y > V(65504.f), infinity, y);
    return select(x == x, same_bits<V>(same_bits<I>(size) | (same_bits<I>(x) & I(-0x7fffffff - 1))),
                  x);
  }
};

template <class F>
void unary_grad(int64_t n, const float* dy, const float* x, float* dx) {
  map_strided(flat(n), dy, x, dx, F{});
}

}  // namespace
}  // namespace stepgrad::kernels
