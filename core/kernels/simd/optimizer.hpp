#pragma once

#include <math.h>

#include "core/kernels/simd/threads.hpp"

namespace stepgrad::kernels {
namespace {

// w <- w (1 - lr λ)
// m <- β1 m + (1 - β1) g        v <- β2 v + (1 - β2) g²
// w <- w - lr (m / (1 - β1^t)) / (√(v / (1 - β2^t)) + ε)
struct AdamWStep {
  V decay, beta1, beta2, rest1, rest2, step_size, root_correction, eps;

  explicit AdamWStep(const AdamW& a)
      : decay(float(1 - a.lr * a.weight_decay)),
        beta1(float(a.beta1)),
        beta2(float(a.beta2)),
        rest1(float(1 - a.beta1)),
        rest2(float(1 - a.beta2)),
        step_size(float(a.lr / (1 - ::pow(a.beta1, double(a.step))))),
        root_correction(float(::sqrt(1 - ::pow(a.beta2, double(a.step))))),
        eps(float(a.eps)) {}

  STEPGRAD_INLINE void operator()(const V& g, V& w, V& m, V& v) const {
    m = beta1 * m + rest1 * g;
    v = beta2 * v + rest2 * (g * g);
    w = w * decay - divide(step_size * m, divide(square_root(v), root_correction) + eps);
  }
};

void adamw(int64_t n, const AdamW& a, const float* g, float* w, float* m, float* v) {
  const AdamWStep step(a);
  share(n, 4 * n, W, [&](int64_t i, int64_t end) {
    for (; i < end; i += W) {
      V wi = load_some(w + i, end - i), mi = load_some(m + i, end - i);
      V vi = load_some(v + i, end - i);
      step(load_some(g + i, end - i), wi, mi, vi);
      store_some(w + i, wi, end - i);
      store_some(m + i, mi, end - i);
      store_some(v + i, vi, end - i);
    }
  });
}

}
}
