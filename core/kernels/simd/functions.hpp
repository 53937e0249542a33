#pragma once

#include "core/kernels/simd/elementwise.hpp"
#include "core/kernels/simd/math.hpp"

// Functions of one number, and pow. What has no vector form yet goes lane by lane through the C
// library.
namespace stepgrad::kernels {
namespace {

template <class F>
STEPGRAD_INLINE V each_lane(const V& x, const F& f) {
  alignas(64) float lanes[W];
  x.store_aligned(lanes);
  for (int i = 0; i < W; ++i) lanes[i] = f(lanes[i]);
  return V::load_aligned(lanes);
}

STEPGRAD_INLINE V sigmoid(const V& x) { return V(1.f) / (V(1.f) + exp(-x)); }

// Φ(x), the normal distribution's.
STEPGRAD_INLINE V normal_cdf(const V& x) {
  return V(0.5f) * each_lane(x * V(-0.70710678f), [](float v) { return __builtin_erfcf(v); });
}

// 2u of gelu_tanh, where (1 + tanh u)/2 = sigmoid(2u), and its slope.
STEPGRAD_INLINE V twice_u(const V& x) {
  return V(1.59576912f) * mul_add(V(0.044715f) * x * x, x, x);
}
STEPGRAD_INLINE V twice_u_slope(const V& x) {
  return V(1.59576912f) * mul_add(V(0.134145f) * x, x, V(1.f));
}

struct Pow {
  STEPGRAD_INLINE V operator()(V a, V b) const {
    alignas(64) float x[W], p[W];
    a.store_aligned(x), b.store_aligned(p);
    for (int i = 0; i < W; ++i) x[i] = __builtin_powf(x[i], p[i]);
    return V::load_aligned(x);
  }
};
struct Exp {
  STEPGRAD_INLINE V operator()(V x) const { return exp(x); }
};
struct Log {
  STEPGRAD_INLINE V operator()(V x) const { return log(x); }
};
struct Sqrt {
  STEPGRAD_INLINE V operator()(V x) const { return xsimd::sqrt(x); }
};
struct Tanh {
  STEPGRAD_INLINE V operator()(V x) const {
    return each_lane(x, [](float v) { return __builtin_tanhf(v); });
  }
};
struct Sigmoid {
  STEPGRAD_INLINE V operator()(V x) const { return sigmoid(x); }
};
struct Erf {
  STEPGRAD_INLINE V operator()(V x) const {
    return each_lane(x, [](float v) { return __builtin_erff(v); });
  }
};
struct Trunc {
  STEPGRAD_INLINE V operator()(V x) const {
    return each_lane(x, [](float v) { return __builtin_truncf(v); });
  }
};
struct Gelu {
  STEPGRAD_INLINE V operator()(V x) const { return x * normal_cdf(x); }
};
struct GeluGrad {
  STEPGRAD_INLINE V operator()(V dy, V x) const {
    const V pdf = V(0.39894228f) * exp(V(-0.5f) * x * x);
    return dy * mul_add(x, pdf, normal_cdf(x));
  }
};
struct GeluTanh {
  STEPGRAD_INLINE V operator()(V x) const { return x * sigmoid(twice_u(x)); }
};
struct GeluTanhGrad {
  STEPGRAD_INLINE V operator()(V dy, V x) const {
    const V s = sigmoid(twice_u(x));
    return dy * mul_add(x * s * (V(1.f) - s), twice_u_slope(x), s);
  }
};
struct Silu {
  STEPGRAD_INLINE V operator()(V x) const { return x * sigmoid(x); }
};
struct SiluGrad {
  STEPGRAD_INLINE V operator()(V dy, V x) const {
    const V s = sigmoid(x);
    return dy * s * mul_add(x, V(1.f) - s, V(1.f));
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
    const V inside = xsimd::max(-most, xsimd::min(most, x));
    const V power = same_bits<V>(same_bits<I>(inside) & I(0x7f800000));
    const V room = V(12288.f) * xsimd::max(power, V(0x1p-14f));
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
