#pragma once

#include "tests/kernels/kernels.hpp"

namespace stepgrad::kernels {

// A feed-forward layer with all inputs and outputs.
struct Layer {
  int64_t rows, d, f;
  Scalar keep;
  bool bias, train = true;
  Floats x = random_floats(rows * d, 30), w1 = random_floats(d * f, 31), b1 = random_floats(f, 32);
  Floats w2 = random_floats(f * d, 33), b2 = random_floats(d, 34), dy = random_floats(rows * d, 35);
  int64_t first_row = 0;  // of the mask
  uint64_t call = (uint64_t{1} << 32) + 3;
  bool relu = false;

  FeedForward arguments() const {
    const float *p1 = bias ? b1.data() : nullptr, *p2 = bias ? b2.data() : nullptr;
    return {rows, d, f, x.data(), w1.data(), p1, w2.data(), p2, keep, 7, call, first_row, relu};
  }

  // Y, dX, dW₁, db₁, dW₂, db₂, concatenated; the gradients on that many threads, unless 0.
  Floats fused(const Table& t, int shift = 0, int grad_threads = 0) const {
    const FeedForward a = arguments();
    const FeedForwardKernels& layer = t.feed_forward;
    Floats saved(layer.saved_size(a), NaN);
    return written(2 * rows * d + 2 * d * f + f + d, shift, [&](float* y) {
      float *dx = y + rows * d, *dw1 = dx + rows * d, *db1 = dw1 + d * f, *dw2 = db1 + f;
      layer.forward(a, train ? saved.data() : nullptr, y);
      if (grad_threads > 0) set_num_threads(grad_threads);
      if (train) layer.grad(a, saved.data(), dy.data(), {dx, dw1, db1, dw2, dw2 + d * f});
    });
  }

  // Computes it by separate kernels.
  Floats separate(const Table& t) const {
    Floats all(2 * rows * d + 2 * d * f + f + d, NAN);
    float* y = all.data();
    float *dx = y + rows * d, *dw1 = dx + rows * d, *db1 = dw1 + d * f, *dw2 = db1 + f;
    const int64_t n = rows * f;
    const Strides each = strides({n}, {1}, {1}), by_one = strides({n}, {1}, {0});
    Floats z(n), h(n), mask(n, 1), dz(n);
    const Matmul& matmul = t.matmul;
    matmul.nn({rows, f, d}, x.data(), w1.data(), z.data());
    if (bias) t.add(strides({rows, f}, {f, 1}, {0, 1}), z.data(), b1.data(), z.data());
    t.clamp(n, z.data(), 0, inf, h.data());
    if (keep < 1) t.dropout_mask({rows, f, 7, call, first_row}, keep, mask.data());
    t.mul(each, h.data(), mask.data(), h.data());
    t.div(by_one, h.data(), &keep, h.data());
    matmul.nn({rows, d, f}, h.data(), w2.data(), y);
    if (bias) t.add(strides({rows, d}, {d, 1}, {0, 1}), y, b2.data(), y);
    if (!train) return all;
    matmul.nt({rows, f, d}, dy.data(), w2.data(), dz.data());
    t.div(by_one, dz.data(), &keep, dz.data());
    t.mul(each, dz.data(), mask.data(), dz.data());
    if (relu)
      t.relu_grad(n, dz.data(), z.data(), dz.data());
    else
      t.clamp_grad(n, dz.data(), z.data(), 0, inf, dz.data());
    matmul.nt({rows, d, f}, dz.data(), w1.data(), dx);
    matmul.tn({d, f, rows}, x.data(), dz.data(), dw1);
    t.sum(1, rows, f, dz.data(), db1);
    matmul.tn({f, d, rows}, h.data(), dy.data(), dw2);
    t.sum(1, rows, d, dy.data(), dw2 + d * f);
    return all;
  }
};

}
