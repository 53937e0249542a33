#pragma once

#include <cmath>
#include <functional>

#include "core/kernels/table.hpp"

namespace stepgrad::kernels::scalar {
namespace {

// The functions for each() are named structs: a lambda's name makes 400 characters of a debugger's
// frame.
struct Power {
  Scalar operator()(Scalar a, Scalar b) const { return std::pow(a, b); }
};
struct Filled {
  Scalar value;
  Scalar operator()(Scalar x, Scalar mask) const { return mask != 0 ? value : x; }
};
struct First {
  Scalar operator()(Scalar x, Scalar) const { return x; }
};

// y[i] = f(a[i], b[i]) for every index i of the output, in order.
void each(const Strides& s, const Scalar* a, const Scalar* b, Scalar* y, auto f) {
  int64_t n = 1;
  for (int d = 0; d < s.dims; ++d) n *= s.size[d];
  int64_t index[max_dims] = {};
  for (int64_t i = 0; i < n; ++i) {
    y[i] = f(*a, *b);
    for (int d = s.dims - 1; d >= 0; --d) {  // like an odometer: the last dimension turns first
      a += s.a[d], b += s.b[d];
      if (++index[d] < s.size[d]) break;
      a -= s.a[d] * s.size[d], b -= s.b[d] * s.size[d];
      index[d] = 0;
    }
  }
}

}

void add(const Strides& s, const Scalar* a, const Scalar* b, Scalar* y) { each(s, a, b, y, std::plus()); }

void sub(const Strides& s, const Scalar* a, const Scalar* b, Scalar* y) { each(s, a, b, y, std::minus()); }

void mul(const Strides& s, const Scalar* a, const Scalar* b, Scalar* y) { each(s, a, b, y, std::multiplies()); }

void div(const Strides& s, const Scalar* a, const Scalar* b, Scalar* y) { each(s, a, b, y, std::divides()); }

void pow(const Strides& s, const Scalar* a, const Scalar* b, Scalar* y) { each(s, a, b, y, Power()); }

void eq(const Strides& s, const Scalar* a, const Scalar* b, Scalar* y) { each(s, a, b, y, std::equal_to()); }

void gt(const Strides& s, const Scalar* a, const Scalar* b, Scalar* y) { each(s, a, b, y, std::greater()); }

void lt(const Strides& s, const Scalar* a, const Scalar* b, Scalar* y) { each(s, a, b, y, std::less()); }

void masked_fill(const Strides& s, const Scalar* x, const Scalar* mask, Scalar value, Scalar* y) {
  each(s, x, mask, y, Filled{value});
}

void copy(const Strides& s, const Scalar* x, Scalar* y) { each(s, x, x, y, First()); }

void neg(int64_t n, const Scalar* x, Scalar* y) {
  for (int64_t i = 0; i < n; ++i) y[i] = -x[i];
}

void relu(int64_t n, const Scalar* x, Scalar* y) {
  for (int64_t i = 0; i < n; ++i) y[i] = x[i] < 0 ? 0 : x[i];
}

void relu_grad(int64_t n, const Scalar* dy, const Scalar* y, Scalar* dx) {
  for (int64_t i = 0; i < n; ++i) dx[i] = y[i] <= 0 ? 0 : dy[i];
}

void clamp(int64_t n, const Scalar* x, Scalar lo, Scalar hi, Scalar* y) {
  for (int64_t i = 0; i < n; ++i) {
    const Scalar raised = x[i] < lo ? lo : x[i];
    y[i] = raised > hi ? hi : raised;
  }
}

void clamp_grad(int64_t n, const Scalar* dy, const Scalar* x, Scalar lo, Scalar hi, Scalar* dx) {
  for (int64_t i = 0; i < n; ++i) dx[i] = lo <= x[i] && x[i] <= hi ? dy[i] : 0;
}

void where(int64_t n, const Scalar* mask, const Scalar* a, const Scalar* b, Scalar* y) {
  for (int64_t i = 0; i < n; ++i) y[i] = mask[i] != 0 ? a[i] : b[i];
}

void fill(int64_t n, Scalar value, Scalar* y) {
  for (int64_t i = 0; i < n; ++i) y[i] = value;
}

// m = β₁m + (1-β₁)g    v = β₂v + (1-β₂)g²
// w = w - lr·λ·w - lr · m/(1-β₁ᵗ) / (√(v/(1-β₂ᵗ)) + ε)
void adamw(int64_t n, const AdamW& a, const Scalar* g, Scalar* w, Scalar* m, Scalar* v) {
  const Scalar beta1 = Scalar(a.beta1), beta2 = Scalar(a.beta2);
  const Scalar rest1 = Scalar(1 - a.beta1), rest2 = Scalar(1 - a.beta2);
  const Scalar decay = Scalar(1 - a.lr * a.weight_decay);
  const Scalar rate = Scalar(a.lr / (1 - std::pow(a.beta1, a.step)));
  const Scalar root = Scalar(1 / std::sqrt(1 - std::pow(a.beta2, a.step)));
  const Scalar eps = Scalar(a.eps);
  for (int64_t i = 0; i < n; ++i) {
    m[i] = beta1 * m[i] + rest1 * g[i];
    v[i] = beta2 * v[i] + rest2 * g[i] * g[i];
    w[i] = decay * w[i] - rate * m[i] / (std::sqrt(v[i]) * root + eps);
  }
}

}
