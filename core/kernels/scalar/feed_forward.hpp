#pragma once

#include <limits>
#include <vector>

#include "core/kernels/scalar/elementwise.hpp"
#include "core/kernels/scalar/matmul.hpp"
#include "core/kernels/scalar/random.hpp"
#include "core/kernels/scalar/rows.hpp"

// The layer op by op. The fused kernels compute the same without intermediate arrays. It saves H
// and, as 0 or 1, whether the gradient passes the mask and the clamp.
namespace stepgrad::kernels::scalar {
namespace {

// n may be more than size_t holds: on 32 bits a cast would make a shorter array.
struct Array : std::vector<Scalar> {
  explicit Array(int64_t n, Scalar x = 0) : std::vector<Scalar>(checked(n), x) {}
  static size_t checked(int64_t n) {
    if (uint64_t(n) > std::numeric_limits<size_t>::max()) throw std::bad_alloc();
    return size_t(n);
  }
};

// y = x + b, b the same for every row.
void add_bias(int64_t rows, int64_t n, const Scalar* x, const Scalar* b, Scalar* y) {
  Strides s;
  s.dims = 2;
  s.size[0] = rows, s.size[1] = n;
  s.a[0] = n, s.a[1] = 1;
  s.b[0] = 0, s.b[1] = 1;
  add(s, x, b, y);
}

}

int64_t feed_forward_saved(const FeedForward& f) { return 2 * f.rows * f.d_ff; }

void feed_forward(const FeedForward& f, Scalar* saved, Scalar* y) {
  const int64_t n = f.rows * f.d_ff;
  Array z(n), h(n), mask(n, 1);
  matmul({f.rows, f.d_ff, f.d_model}, f.x, f.w1, z.data());
  if (f.b1) add_bias(f.rows, f.d_ff, z.data(), f.b1, z.data());
  clamp(n, z.data(), 0, std::numeric_limits<Scalar>::infinity(), h.data());
  if (f.keep < 1) dropout_mask({f.rows, f.d_ff, f.seed, f.call, f.first_row}, f.keep, mask.data());
  for (int64_t i = 0; i < n; ++i) h[i] = h[i] * mask[i] / f.keep;
  matmul({f.rows, f.d_model, f.d_ff}, h.data(), f.w2, y);
  if (f.b2) add_bias(f.rows, f.d_model, y, f.b2, y);
  if (!saved) return;
  for (int64_t i = 0; i < n; ++i) {
    saved[i] = h[i];
    saved[n + i] = (f.relu ? !(z[i] <= 0) : z[i] >= 0) && mask[i] != 0;
  }
}

void feed_forward_grad(const FeedForward& f, const Scalar* saved, const Scalar* dy, const FeedForwardGrads& g) {
  const int64_t n = f.rows * f.d_ff;
  Array dz(n);
  matmul_nt({f.rows, f.d_ff, f.d_model}, dy, f.w2, dz.data());
  for (int64_t i = 0; i < n; ++i) dz[i] = saved[n + i] != 0 ? dz[i] / f.keep : 0;
  if (g.dx) matmul_nt({f.rows, f.d_model, f.d_ff}, dz.data(), f.w1, g.dx);
  if (g.dw1) matmul_tn({f.d_model, f.d_ff, f.rows}, f.x, dz.data(), g.dw1);
  if (g.db1) sum(1, f.rows, f.d_ff, dz.data(), g.db1);
  if (g.dw2) matmul_tn({f.d_ff, f.d_model, f.rows}, saved, dy, g.dw2);
  if (g.db2) sum(1, f.rows, f.d_model, dy, g.db2);
}

constexpr FeedForwardKernels feed_forward_kernels{feed_forward, feed_forward_saved, feed_forward_grad};

}
