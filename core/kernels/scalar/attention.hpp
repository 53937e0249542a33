#pragma once

#include "core/kernels/scalar/feed_forward.hpp"

// Attention op by op and head by head; the fused kernels compute the same a few rows at a time.
namespace stepgrad::kernels::scalar {
namespace {

bool masked(const Attention& f, int64_t head, int64_t i, int64_t j) {
  if (f.causal && j > i) return true;
  return f.mask && f.mask[f.mask_offset[head] + i * f.mask_row + j * f.mask_column] != 0;
}

// P = softmax(S), S = scale·Q·Kᵀ, `fill` where masked      [n_q, n_k]
Array probabilities(const Attention& f, int64_t head) {
  Array p(f.n_q * f.n_k);
  matmul_nt({f.n_q, f.n_k, f.d}, f.q + head * f.n_q * f.d, f.k + head * f.n_k * f.d, p.data());
  for (int64_t i = 0; i < f.n_q; ++i) {
    for (int64_t j = 0; j < f.n_k; ++j) {
      Scalar& s = p[i * f.n_k + j];
      s = masked(f, head, i, j) ? f.fill : s * f.scale;
    }
  }
  softmax(f.n_q, f.n_k, p.data(), p.data());
  return p;
}

// M      [n_q, n_k]
Array mask(const Attention& f, int64_t head) {
  Array mask(f.n_q * f.n_k, 1);
  const Draw draw{f.n_q, f.n_k, f.seed, f.call, f.first_row + head * f.n_q};
  if (f.keep < 1) dropout_mask(draw, f.keep, mask.data());
  return mask;
}

}

void attention(const Attention& f, Scalar* y) {
  for (int64_t head = 0; head < f.heads; ++head, y += f.n_q * f.d_v) {
    Array p = probabilities(f, head);
    const Array m = mask(f, head);
    for (size_t i = 0; i < p.size(); ++i) p[i] = p[i] * m[i] / f.keep;
    matmul({f.n_q, f.d_v, f.n_k}, p.data(), f.v + head * f.n_k * f.d_v, y);
  }
}

void attention_grad(const Attention& f, const Scalar* dy, const AttentionGrads& g) {
  for (int64_t head = 0; head < f.heads; ++head) {
    const Scalar *q = f.q + head * f.n_q * f.d, *k = f.k + head * f.n_k * f.d;
    const Scalar *v = f.v + head * f.n_k * f.d_v, *dY = dy + head * f.n_q * f.d_v;
    const Array p = probabilities(f, head), m = mask(f, head);
    Array dropped(p), ds(p.size());
    for (size_t i = 0; i < p.size(); ++i) dropped[i] = p[i] * m[i] / f.keep;
    matmul_tn({f.n_k, f.d_v, f.n_q}, dropped.data(), dY, g.dv + head * f.n_k * f.d_v);
    matmul_nt({f.n_q, f.n_k, f.d_v}, dY, v, ds.data());
    for (size_t i = 0; i < p.size(); ++i) ds[i] = ds[i] / f.keep * m[i];
    softmax_grad(f.n_q, f.n_k, ds.data(), p.data(), ds.data());
    for (int64_t i = 0; i < f.n_q; ++i) {
      for (int64_t j = 0; j < f.n_k; ++j) {
        Scalar& s = ds[i * f.n_k + j];
        s = masked(f, head, i, j) ? 0 : s * f.scale;
      }
    }
    matmul({f.n_q, f.d, f.n_k}, ds.data(), k, g.dq + head * f.n_q * f.d);
    matmul_tn({f.n_k, f.d, f.n_q}, ds.data(), q, g.dk + head * f.n_k * f.d);
  }
}

constexpr AttentionKernels attention_kernels{attention, attention_grad};

}
