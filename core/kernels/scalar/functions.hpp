#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/kernels/table.hpp"

namespace stepgrad::kernels::scalar {
namespace {

constexpr Scalar pi = std::numbers::pi_v<Scalar>;

Scalar sigmoid(Scalar x) { return 1 / (1 + std::exp(-x)); }

// Φ(x), the normal distribution, as erfc(-x/√2)/2, which keeps its digits near 0.
Scalar normal_cdf(Scalar x) { return std::erfc(-x / std::numbers::sqrt2_v<Scalar>) / 2; }
Scalar normal_pdf(Scalar x) { return std::exp(-x * x / 2) / std::sqrt(2 * pi); }

// gelu_tanh computes (1 + tanh u)/2 as sigmoid(2u) for the same reason: this 2u, and its slope.
Scalar twice_u(Scalar x) { return 2 * std::sqrt(2 / pi) * (x + Scalar(0.044715) * x * x * x); }
Scalar twice_u_slope(Scalar x) { return 2 * std::sqrt(2 / pi) * (1 + Scalar(0.134145) * x * x); }

// x rounded to `bits` significant bits, ties to even, but no finer than 2^finest. Infinite if the
// result is greater than `largest`.
Scalar rounded(Scalar x, int bits, int finest, Scalar largest) {
  if (!std::isfinite(x) || x == 0) return x;
  const Scalar unit = std::ldexp(Scalar(1), std::max(std::ilogb(x) - bits + 1, finest));
  const Scalar y = std::nearbyint(x / unit) * unit;
  return std::abs(y) <= largest ? y : std::copysign(std::numeric_limits<Scalar>::infinity(), x);
}

}

void exp(int64_t n, const Scalar* x, Scalar* y) {
  for (int64_t i = 0; i < n; ++i) y[i] = std::exp(x[i]);
}

void log(int64_t n, const Scalar* x, Scalar* y) {
  for (int64_t i = 0; i < n; ++i) y[i] = std::log(x[i]);
}

void sqrt(int64_t n, const Scalar* x, Scalar* y) {
  for (int64_t i = 0; i < n; ++i) y[i] = std::sqrt(x[i]);
}

void tanh(int64_t n, const Scalar* x, Scalar* y) {
  for (int64_t i = 0; i < n; ++i) y[i] = std::tanh(x[i]);
}

void sigmoid(int64_t n, const Scalar* x, Scalar* y) {
  for (int64_t i = 0; i < n; ++i) y[i] = sigmoid(x[i]);
}

void erf(int64_t n, const Scalar* x, Scalar* y) {
  for (int64_t i = 0; i < n; ++i) y[i] = std::erf(x[i]);
}

void trunc(int64_t n, const Scalar* x, Scalar* y) {
  for (int64_t i = 0; i < n; ++i) y[i] = std::trunc(x[i]);
}

// y = x Φ(x)
void gelu(int64_t n, const Scalar* x, Scalar* y) {
  for (int64_t i = 0; i < n; ++i) y[i] = x[i] * normal_cdf(x[i]);
}

// dx = dy (Φ(x) + x φ(x))
void gelu_grad(int64_t n, const Scalar* dy, const Scalar* x, Scalar* dx) {
  for (int64_t i = 0; i < n; ++i) dx[i] = dy[i] * (normal_cdf(x[i]) + x[i] * normal_pdf(x[i]));
}

// y = x (1 + tanh u)/2,  u = √(2/π) (x + 0.044715 x³)
void gelu_tanh(int64_t n, const Scalar* x, Scalar* y) {
  for (int64_t i = 0; i < n; ++i) y[i] = x[i] * sigmoid(twice_u(x[i]));
}

// dx = dy (s + x s(1 - s) (2u)'),  s = (1 + tanh u)/2
// Beyond ±15, s(1 - s) is 0: there (2u)' must not overflow.
void gelu_tanh_grad(int64_t n, const Scalar* dy, const Scalar* x, Scalar* dx) {
  for (int64_t i = 0; i < n; ++i) {
    const Scalar s = sigmoid(twice_u(x[i]));
    dx[i] = dy[i] * (s + x[i] * s * (1 - s) * twice_u_slope(std::clamp<Scalar>(x[i], -15, 15)));
  }
}

// y = x σ(x)
void silu(int64_t n, const Scalar* x, Scalar* y) {
  for (int64_t i = 0; i < n; ++i) y[i] = x[i] * sigmoid(x[i]);
}

// dx = dy σ(x) (1 + x (1 - σ(x)))
void silu_grad(int64_t n, const Scalar* dy, const Scalar* x, Scalar* dx) {
  for (int64_t i = 0; i < n; ++i) {
    const Scalar s = sigmoid(x[i]);
    dx[i] = dy[i] * s * (1 + x[i] * (1 - s));
  }
}

// dx = dy y (1 - y)
void sigmoid_grad(int64_t n, const Scalar* dy, const Scalar* y, Scalar* dx) {
  for (int64_t i = 0; i < n; ++i) dx[i] = dy[i] * y[i] * (1 - y[i]);
}

// dx = dy (1 - y²)
void tanh_grad(int64_t n, const Scalar* dy, const Scalar* y, Scalar* dx) {
  for (int64_t i = 0; i < n; ++i) dx[i] = dy[i] * (1 - y[i] * y[i]);
}

void bfloat16(int64_t n, const Scalar* x, Scalar* y) {
  for (int64_t i = 0; i < n; ++i) y[i] = rounded(x[i], 8, -133, Scalar(0x1.fep127));
}

void half(int64_t n, const Scalar* x, Scalar* y) {
  for (int64_t i = 0; i < n; ++i) y[i] = rounded(x[i], 11, -24, 65504);
}

}
