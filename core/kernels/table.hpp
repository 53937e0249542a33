#pragma once

#include <cstdint>

#include "core/kernels/scalar.hpp"

// The inner loops: plain functions on pointers and sizes, one table per instruction set. They know
// no Tensor, check nothing and allocate no result; their callers do.
//
// Arrays are dense and row-major. An output may be the same array as an input of its size if the
// comment says "in place"; otherwise arrays do not overlap. Any size may be zero. Results never
// depend on the number of threads.
namespace stepgrad::kernels {

constexpr int max_dims = 6;

// The walk of an output of `size` over inputs whose elements are `a` and `b` apart along each
// dimension (0: broadcast).
struct Strides {
  int dims = 0;  // the arrays hold so many numbers; the rest is undefined
  int64_t size[max_dims];
  int64_t a[max_dims];
  int64_t b[max_dims];
};

// A batch of products Y[t] = op(A)·op(B), t in [0, batch). The Y[t], each m x n, are adjacent; A
// starts at a + a_offset[t], B at b + b_offset[t] (null: all at the first element).
struct Products {
  int64_t m, n, k;
  int64_t batch = 1;
  const int64_t* a_offset = nullptr;
  const int64_t* b_offset = nullptr;
};

// Element (r, c) of a random [rows, n] array is word c % 4 of
// Philox4x32-10(counter = (c / 4, first_row + r, call), key = seed); `call` counts the arrays
// drawn.
struct Draw {
  int64_t rows, n;
  uint64_t seed, call;
  int64_t first_row = 0;  // where the shard begins, if the array is one
};

struct AdamW {  // Loshchilov & Hutter 2019, as torch.optim.AdamW
  double lr, beta1, beta2, eps, weight_decay;
  int64_t step;  // 1 for the first
};

// The feed-forward layer, with M = dropout_mask({rows, d_ff, seed, call, first_row}, keep):
//   H = clamp(X·W₁ + b₁, 0)∘M / keep      Y = H·W₂ + b₂
// x: [rows, d_model]   w1: [d_model, d_ff]   b1: [d_ff]   w2: [d_ff, d_model]   b2: [d_model]
struct FeedForward {
  int64_t rows, d_model, d_ff;          // REQUIRES: d_model, d_ff > 0
  const Scalar *x, *w1, *b1, *w2, *b2;  // b1, b2 null: no bias
  Scalar keep;                          // in (0, 1]; 1: M is all ones, and not drawn
  uint64_t seed, call;
  int64_t first_row = 0;
  bool relu = false;  // no gradient where the clamp's input is 0
};

struct FeedForwardGrads {
  Scalar *dx, *dw1, *db1, *dw2, *db2;  // null: not needed
};

// Attention of `heads` heads side by side, with M = dropout_mask({heads·n_q, n_k, seed, call,
// first_row}, keep):
//   S = scale·Q·Kᵀ, `fill` where masked      P = softmax(S)      Y = (P∘M / keep)·V
// q: [heads, n_q, d]   k: [heads, n_k, d]   v: [heads, n_k, d_v]   y: [heads, n_q, d_v]
// A key is masked if it comes after the query (causal), or if its mask is not 0. For head h, query
// i and key j the mask is mask[mask_offset[h] + i * mask_row + j * mask_column].
struct Attention {
  int64_t heads, n_q, n_k, d, d_v;  // REQUIRES: all > 0
  const Scalar *q, *k, *v;
  Scalar scale, fill;
  bool causal = false;
  const Scalar* mask = nullptr;  // null: none
  const int64_t* mask_offset = nullptr;
  int64_t mask_row = 0, mask_column = 0;  // 0 or n_k, 0 or 1
  Scalar keep = 1;                        // in (0, 1]; 1: M is all ones, and not drawn
  uint64_t seed = 0, call = 0;
  int64_t first_row = 0;
};

struct AttentionGrads {
  Scalar *dq, *dk, *dv;
};

using Binary = void (*)(const Strides& s, const Scalar* a, const Scalar* b, Scalar* y);
using Unary = void (*)(int64_t n, const Scalar* x, Scalar* y);
using UnaryGrad = void (*)(int64_t n, const Scalar* dy, const Scalar* x, Scalar* dx);
using Reduction = void (*)(int64_t outer, int64_t n, int64_t inner, const Scalar* x, Scalar* y);
using Product = void (*)(const Products& s, const Scalar* a, const Scalar* b, Scalar* y);

// Steps of k that a product sums in one chain. Blocks are added in rising k up to product_piece
// steps, and so are the sums of these.
constexpr int64_t product_block = 512;
constexpr int64_t product_piece = product_block * product_block;

struct Matmul {
  // Y = A·B      A: [m, k]   B: [k, n]
  // Y = A·Bᵀ     A: [m, k]   B: [n, k]
  // Y = Aᵀ·B     A: [k, m]   B: [k, n]
  Product nn, nt, tn;
};

struct FeedForwardKernels {
  // FeedForward's Y, bitwise as by the other kernels. `saved` has saved_size(f) elements for the
  // gradient: H, and one bit per element, whether the gradient passes M and the clamp. Null:
  // nothing is saved.
  void (*forward)(const FeedForward& f, Scalar* saved, Scalar* y);
  int64_t (*saved_size)(const FeedForward& f);
  // dZ = (dY·W₂ᵀ)∘M / keep where Z = X·W₁ + b₁ >= 0 (relu: > 0), else 0
  // dX = dZ·W₁ᵀ    dW₁ = Xᵀ·dZ    db₁ = Σ_r dZ[r]    dW₂ = Hᵀ·dY    db₂ = Σ_r dY[r]
  void (*grad)(const FeedForward& f, const Scalar* saved, const Scalar* dy, const FeedForwardGrads& g);
};

struct AttentionKernels {
  // Attention's Y, bitwise as by the other kernels, except that keys hidden from a whole block of
  // rows are skipped, where 0·V of an infinite V would be NaN. Needs memory for some rows of
  // scores, not for all.
  void (*forward)(const Attention& f, Scalar* y);
  // dV = (P∘M / keep)ᵀ·dY   dP = (dY·Vᵀ)∘M / keep   dS = P∘(dP - Σ P∘dP), 0 where masked
  // dQ = scale·dS·K         dK = scale·dSᵀ·Q
  void (*grad)(const Attention& f, const Scalar* dy, const AttentionGrads& g);
};

struct Table {
  const char* name;  // "scalar", "sse2", "avx2", "avx512", "neon"

  // Binary: y = a ∘ b, in place of a or b if that has y's size. Comparisons give 0 or 1.
  // Unary: y = f(x), in place. UnaryGrad: dx = dy ∘ f'(x), in place of dy.
#define STEPGRAD_KERNEL(Type, name) Type name;
#include "core/kernels/elementwise.inc"

  // y = min(max(x, lo), hi), in place; a NaN stays one.
  void (*clamp)(int64_t n, const Scalar* x, Scalar lo, Scalar hi, Scalar* y);
  // dx = dy where lo <= x <= hi, else 0; in place of dy.
  void (*clamp_grad)(int64_t n, const Scalar* dy, const Scalar* x, Scalar lo, Scalar hi, Scalar* dx);
  // dx = dy where y > 0, else 0; in place of dy.
  void (*relu_grad)(int64_t n, const Scalar* dy, const Scalar* y, Scalar* dx);
  // y = value where mask != 0, else x; in place of x. s.a: strides of x, s.b: of mask.
  void (*masked_fill)(const Strides& s, const Scalar* x, const Scalar* mask, Scalar value, Scalar* y);

  // y = a where mask != 0, else b; in place of any of them.
  void (*where)(int64_t n, const Scalar* mask, const Scalar* a, const Scalar* b, Scalar* y);

  void (*fill)(int64_t n, Scalar value, Scalar* y);
  // y = x read by the strides s.a: expand, permute, repeat, slice.
  void (*copy)(const Strides& s, const Scalar* x, Scalar* y);

  // y[o, i] = Σ_j x[o, j, i]    x: [outer, n, inner]   y: [outer, inner]
  Reduction sum;
  // y[o, i] = max_j x[o, j, i], or NaN if one of them is. REQUIRES: n > 0.
  Reduction amax;

  Matmul matmul;

  // y[r] = exp(x[r]) / Σ_c exp(x[r, c])   x, y: [rows, n]; in place.
  void (*softmax)(int64_t rows, int64_t n, const Scalar* x, Scalar* y);
  // dx = y (dy - Σ_c y dy)                in place of dy.
  void (*softmax_grad)(int64_t rows, int64_t n, const Scalar* dy, const Scalar* y, Scalar* dx);

  // y[r] = x[r] - log Σ_c exp(x[r, c])    x, y: [rows, n]; in place.
  void (*log_softmax)(int64_t rows, int64_t n, const Scalar* x, Scalar* y);
  // dx = dy - exp(y) Σ_c dy               in place of dy or y.
  void (*log_softmax_grad)(int64_t rows, int64_t n, const Scalar* dy, const Scalar* y, Scalar* dx);

  // y[r] = h w + b,  h = (x[r] - mean[r]) rstd[r]      x, y: [rows, n]; in place.   w, b: [n]
  // mean[r] = Σ x[r]/n   rstd[r] = 1/√(var + eps), var = Σ(x[r] - mean[r])²/n       both: [rows]
  void (*layer_norm)(int64_t rows, int64_t n, Scalar eps, const Scalar* x, const Scalar* w, const Scalar* b, Scalar* y,
      Scalar* mean, Scalar* rstd);
  // dx = rstd (dh - mean(dh) - h mean(h dh)), dh = dy w      in place of dy.
  // dw = Σ_r dy[r] h   db = Σ_r dy[r]
  void (*layer_norm_grad)(int64_t rows, int64_t n, const Scalar* dy, const Scalar* x, const Scalar* w,
      const Scalar* mean, const Scalar* rstd, Scalar* dx, Scalar* dw, Scalar* db);

  // y[r] = x[ids[r]]          x: [any, n]   ids: [rows], whole numbers   y: [rows, n]
  void (*index_select)(int64_t rows, int64_t n, const Scalar* x, const Scalar* ids, Scalar* y);
  // dx[ids[r]] += dy[r], in rising r for each row of dx.     dx: [any, n]
  void (*index_add)(int64_t rows, int64_t n, const Scalar* dy, const Scalar* ids, Scalar* dx);

  // y = the element's word / 2^32, its upper 24 bits: [0, 1).
  void (*uniform)(const Draw& d, Scalar* y);
  // y = 1 where the element's uniform < keep, else 0. REQUIRES: keep in (0, 1].
  void (*dropout_mask)(const Draw& d, Scalar keep, Scalar* y);

  FeedForwardKernels feed_forward;

  AttentionKernels attention;

  // One optimizer step for n parameters w with gradients g and running averages m, v.
  void (*adamw)(int64_t n, const AdamW& a, const Scalar* g, Scalar* w, Scalar* m, Scalar* v);
};

// y: one normal number per element, mean 0 and variance 1. Not in the table: compiled once, so that
// it gives the same bits everywhere.
void normal(const Draw& d, Scalar* y);

// The table in use: the best that this CPU runs, or the one that STEPGRAD_SIMD names
// (scalar, sse2, avx2, avx512, neon). Throws std::invalid_argument if that is
// unknown or not available here.
const Table& table();

// The named table, or null if it is unknown or not available here.
const Table* find_table(const char* name);

}
