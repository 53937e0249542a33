#pragma once

#include "core/kernels/table.hpp"

// The scalar kernels are three things at once: the specification, the loops that a debugger walks
// through, and the oracle that the SIMD kernels are tested against. They read like their formulas
// and run on one thread. table.hpp says what each one does.
namespace stepgrad::kernels::scalar {

// elementwise.cpp
void add(const Strides& s, const Scalar* a, const Scalar* b, Scalar* y);
void sub(const Strides& s, const Scalar* a, const Scalar* b, Scalar* y);
void mul(const Strides& s, const Scalar* a, const Scalar* b, Scalar* y);
void div(const Strides& s, const Scalar* a, const Scalar* b, Scalar* y);
void pow(const Strides& s, const Scalar* a, const Scalar* b, Scalar* y);
void eq(const Strides& s, const Scalar* a, const Scalar* b, Scalar* y);
void gt(const Strides& s, const Scalar* a, const Scalar* b, Scalar* y);
void lt(const Strides& s, const Scalar* a, const Scalar* b, Scalar* y);
void masked_fill(const Strides& s, const Scalar* x, const Scalar* mask, Scalar value, Scalar* y);
void copy(const Strides& s, const Scalar* x, Scalar* y);
void neg(int64_t n, const Scalar* x, Scalar* y);
void relu(int64_t n, const Scalar* x, Scalar* y);
void relu_grad(int64_t n, const Scalar* dy, const Scalar* y, Scalar* dx);
void clamp(int64_t n, const Scalar* x, Scalar lo, Scalar hi, Scalar* y);
void clamp_grad(int64_t n, const Scalar* dy, const Scalar* x, Scalar lo, Scalar hi, Scalar* dx);
void where(int64_t n, const Scalar* mask, const Scalar* a, const Scalar* b, Scalar* y);
void fill(int64_t n, Scalar value, Scalar* y);
void adamw(int64_t n, const AdamW& a, const Scalar* g, Scalar* w, Scalar* m, Scalar* v);

// functions.cpp
void exp(int64_t n, const Scalar* x, Scalar* y);
void log(int64_t n, const Scalar* x, Scalar* y);
void sqrt(int64_t n, const Scalar* x, Scalar* y);
void tanh(int64_t n, const Scalar* x, Scalar* y);
void sigmoid(int64_t n, const Scalar* x, Scalar* y);
void erf(int64_t n, const Scalar* x, Scalar* y);
void trunc(int64_t n, const Scalar* x, Scalar* y);
void gelu(int64_t n, const Scalar* x, Scalar* y);
void gelu_grad(int64_t n, const Scalar* dy, const Scalar* x, Scalar* dx);
void gelu_tanh(int64_t n, const Scalar* x, Scalar* y);
void gelu_tanh_grad(int64_t n, const Scalar* dy, const Scalar* x, Scalar* dx);
void silu(int64_t n, const Scalar* x, Scalar* y);
void silu_grad(int64_t n, const Scalar* dy, const Scalar* x, Scalar* dx);
void bfloat16(int64_t n, const Scalar* x, Scalar* y);
void half(int64_t n, const Scalar* x, Scalar* y);

// matmul.cpp
void matmul(const Products& s, const Scalar* a, const Scalar* b, Scalar* y);
void matmul_nt(const Products& s, const Scalar* a, const Scalar* b, Scalar* y);
void matmul_tn(const Products& s, const Scalar* a, const Scalar* b, Scalar* y);
void bf16_matmul(const Products& s, const Scalar* a, const Scalar* b, Scalar* y);
void bf16_matmul_nt(const Products& s, const Scalar* a, const Scalar* b, Scalar* y);
void bf16_matmul_tn(const Products& s, const Scalar* a, const Scalar* b, Scalar* y);

// rows.cpp
void sum(int64_t outer, int64_t n, int64_t inner, const Scalar* x, Scalar* y);
void amax(int64_t outer, int64_t n, int64_t inner, const Scalar* x, Scalar* y);
void softmax(int64_t rows, int64_t n, const Scalar* x, Scalar* y);
void softmax_grad(int64_t rows, int64_t n, const Scalar* dy, const Scalar* y, Scalar* dx);
void log_softmax(int64_t rows, int64_t n, const Scalar* x, Scalar* y);
void log_softmax_grad(int64_t rows, int64_t n, const Scalar* dy, const Scalar* y, Scalar* dx);
void normalize(int64_t rows, int64_t n, Scalar eps, const Scalar* x, Scalar* y, Scalar* rstd);
void normalize_grad(int64_t rows, int64_t n, const Scalar* dy, const Scalar* y, const Scalar* rstd,
                    Scalar* dx);
void gather(int64_t rows, int64_t n, const Scalar* x, const Scalar* ids, Scalar* y);
void scatter_add(int64_t rows, int64_t n, const Scalar* dy, const Scalar* ids, Scalar* dx);

// random.cpp
void uniform(const Draw& d, Scalar* y);
void dropout_mask(const Draw& d, Scalar keep, Scalar* y);

// feed_forward.cpp
void feed_forward(const FeedForward& f, Scalar* saved, Scalar* y);
int64_t feed_forward_saved(const FeedForward& f);
void feed_forward_grad(const FeedForward& f, const Scalar* saved, const Scalar* dy,
                       const FeedForwardGrads& g);
void bf16_feed_forward(const FeedForward& f, Scalar* saved, Scalar* y);
void bf16_feed_forward_grad(const FeedForward& f, const Scalar* saved, const Scalar* dy,
                            const FeedForwardGrads& g);

// peak.cpp
double peak(int64_t rounds);

}  // namespace stepgrad::kernels::scalar
