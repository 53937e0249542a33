#pragma once

#include <string.h>

#include "core/kernels/simd/math.hpp"
#include "core/kernels/simd/reduce.hpp"

// Kernels over whole rows: softmax, normalisation, look-up.
namespace stepgrad::kernels {
namespace {

// Calls f(r) for each row. An element costs as much as `weight` elements of a plain pass.
STEPGRAD_INLINE void each_row(int64_t rows, int64_t n, int64_t weight, const auto& f) {
  share(rows, weight * rows * n, 1, [&](int64_t r, int64_t end) {
    for (; r < end; ++r) f(r);
  });
}

// exp(x - shift), also if the difference is not a float. exp(-inf) = 0.
STEPGRAD_INLINE V exp_of_difference(const V& x, const V& shift) {
  const TwoParts d = sum(x, -shift);
  return Exponential(TwoParts{d.high, select(d.high > V(-150.f), d.low, V(0.f))}).times(V(1.f));
}

// Error: within 4 ulp for rows of up to 2000. The next row is prefetched during the exps, which
// take as long.
void softmax(int64_t rows, int64_t n, const float* x, float* y) {
  each_row(rows, n, 8, [&](int64_t r) {
    const float* from = x + r * n;
    const Run<1> to{y + r * n};
    const int64_t next = r + 1 < rows ? n : 0;
    const V shift(max_run(n, from));
    float total[1];
    sums_of_steps(n, total, [&](V(&sum)[1], int64_t i, int64_t rest) {
      __builtin_prefetch(from + next + i);
      __builtin_prefetch(to.at + next + i, 1);
      const V e = exp_of_difference(load_some(from + i, rest), shift);
      store_some(y + r * n + i, e, rest);
      sum[0] = sum[0] + first(e, rest);
    });
    const V scale(1.f / total[0]);
    zip(n, to, to, y + r * n, [&](V v, V) { return v * scale; });
  });
}

void softmax_grad(int64_t rows, int64_t n, const float* dy, const float* y, float* dx) {
  each_row(rows, n, 2, [&](int64_t r) {
    const V total(dot_run(n, dy + r * n, y + r * n));
    zip(n, Run<1>{dy + r * n}, Run<1>{y + r * n}, dx + r * n, [&](V d, V v) { return v * (d - total); });
  });
}

// The largest element is subtracted first, so that no exp overflows and one of them is 1. Error:
// within 4 ulp; near 0 the absolute error is below 2e-7, since 1 + the other exps loses digits.
void log_softmax(int64_t rows, int64_t n, const float* x, float* y) {
  const bool streamed = n >= 1024 && non_temporal(rows * n, n, y, x, x);  // a fence is slow
  each_row(rows, n, 8, [&](int64_t r) {
    const Run<1> from{x + r * n};
    const int64_t next = r + 1 < rows ? n : 0;
    const V shift(max_run(n, from.at));
    float total[1];
    sums_of_steps(n, total, [&](V(&sum)[1], int64_t i, int64_t rest) {
      __builtin_prefetch(from.at + next + i);
      sum[0] = sum[0] + first(exp(from.load_some(i, rest) - shift), rest);
    });
    const V log_sum = log(V(total[0]));
    const auto result = [&](V v, V) { return (v - shift) - log_sum; };
    zip(n, from, from, y + r * n, result, streamed);
    fence_streams(streamed);
  });
}

void log_softmax_grad(int64_t rows, int64_t n, const float* dy, const float* y, float* dx) {
  each_row(rows, n, 8, [&](int64_t r) {
    const V total(sum_run(n, dy + r * n));
    zip(n, Run<1>{dy + r * n}, Run<1>{y + r * n}, dx + r * n, [&](V d, V v) { return d - exp(v) * total; });
  });
}

// One row of layer_norm (below) in double, for squares beyond a float.
[[gnu::cold, gnu::noinline]] void layer_norm_wide(
    int64_t n, float eps, const float* x, const float* w, const float* b, float* y, float& mean, float& rstd) {
  double sum = 0, squares = 0;
  for (int64_t i = 0; i < n; ++i) sum += x[i];
  const double middle = sum / double(n);
  for (int64_t i = 0; i < n; ++i) squares += (x[i] - middle) * (x[i] - middle);
  const double nan_if_infinite = squares - squares;
  const double scale = 1 / __builtin_sqrt(squares / double(n) + eps) + nan_if_infinite;
  for (int64_t i = 0; i < n; ++i) y[i] = float((x[i] - middle) * scale * w[i] + b[i]);
  mean = float(middle), rstd = float(scale);
}

// The deviations from the mean are summed too, which corrects the mean's rounding. With w = 1 and b
// = 0, in rows of up to 2000: |y| >= 1 is within 4 ulp, a smaller |y| within 4 ulp of 1.
void layer_norm(int64_t rows, int64_t n, float eps, const float* x, const float* w, const float* b, float* y,
    float* mean, float* rstd) {
  const float each = 1.f / float(n);
  each_row(rows, n, 4, [&](int64_t r) {
    const float* from = x + r * n;
    const float rough = sum_run(n, from) * each;
    float sums[2];
    sums_of_steps(n, sums, [&, shift = V(rough)](V(&s)[2], int64_t i, int64_t rest) {
      const V d = first(load_some(from + i, rest) - shift, rest);
      s[0] = s[0] + d;
      s[1] = mul_add(d, d, s[1]);
    });
    const float left = sums[0] * each, var = sums[1] * each + eps;
    if (!(var > 1e-30f && var < __builtin_inff()))
      return layer_norm_wide(n, eps, from, w, b, y + r * n, mean[r], rstd[r]);
    const float scale = 1.f / __builtin_sqrtf(var);
    mean[r] = rough + left;
    rstd[r] = scale;
    for (int64_t i = 0; i < n; i += W) {
      const V h = ((load_some(from + i, n - i) - V(rough)) - V(left)) * V(scale);
      const V result = mul_add(h, load_some(w + i, n - i), load_some(b + i, n - i));
      store_some(y + r * n + i, result, n - i);
    }
  });
}

// The gradient of one such row; its share of dw and db is added to sums.
STEPGRAD_INLINE void layer_norm_grad_row(int64_t n, const float* dy, const float* x, const float* w, float mean,
    float rstd, float* dx, float* dw, float* db) {
  const V shift(mean), scale(rstd);
  float sums[2];  // Σ dh, Σ h dh
  sums_of_steps(n, sums, [&](V(&s)[2], int64_t i, int64_t rest) {
    const V d = load_some(dy + i, rest), dh = d * load_some(w + i, rest);
    const V h = (load_some(x + i, rest) - shift) * scale;
    s[0] = s[0] + dh;
    s[1] = mul_add(h, dh, s[1]);
    store_some(dw + i, mul_add(d, h, load_some(dw + i, rest)), rest);
    store_some(db + i, load_some(db + i, rest) + d, rest);
    store_some(dx + i, dh, rest);
  });
  const V middle(sums[0] / float(n)), slope(sums[1] / float(n));
  zip(n, Run<1>{dx}, Run<1>{x}, dx, [&](V dh, V v) { return scale * ((dh - middle) - (v - shift) * scale * slope); });
}

// Each block of rows sums its own dw and db; these are added in order.
void layer_norm_grad(int64_t rows, int64_t n, const float* dy, const float* x, const float* w, const float* mean,
    const float* rstd, float* dx, float* dw, float* db) {
  constexpr int64_t length = 64;  // block length
  const int64_t blocks = ceil_div(rows, length);
  static thread_local Scratch scratch;
  float* partial = scratch.floats(2 * blocks * n);  // [blocks, 2, n]
  each_row(blocks, length * n, 4, [&](int64_t block) {
    float* sums = partial + block * 2 * n;
    for (int64_t i = 0; i < 2 * n; ++i) sums[i] = 0;
    for (int64_t r = block * length; r < smaller(rows, (block + 1) * length); ++r) {
      layer_norm_grad_row(n, dy + r * n, x + r * n, w, mean[r], rstd[r], dx + r * n, sums, sums + n);
    }
  });
  share(n, 2 * blocks * n, W, [&](int64_t i, int64_t end) {
    sum_up_columns(blocks, end - i, partial + i, 2 * n, dw + i);
    sum_up_columns(blocks, end - i, partial + n + i, 2 * n, db + i);
  });
}

void index_select(int64_t rows, int64_t n, const float* x, const float* ids, float* y) {
  each_row(rows, n, 1, [&](int64_t r) { memcpy(y + r * n, x + int64_t(ids[r]) * n, size_t(n) * sizeof(float)); });
}

// Several r may name the same row of dx. So the threads share out the columns, and each element of
// dx has one thread, which adds to it in rising r.
void index_add(int64_t rows, int64_t n, const float* dy, const float* ids, float* dx) {
  share(n, rows * n, 4 * W, [&](int64_t begin, int64_t end) {
    for (int64_t r = 0; r < rows; ++r) {
      float* to = dx + int64_t(ids[r]) * n + begin;
      zip(end - begin, Run<1>{to}, Run<1>{dy + r * n + begin}, to, Add{});
    }
  });
}

}
}
