#pragma once

#include "core/kernels/simd/math.hpp"
#include "core/kernels/simd/reduce.hpp"

// Kernels that treat a row as one thing: softmax over its elements, look-up of whole rows.
namespace stepgrad::kernels {
namespace {

STEPGRAD_INLINE float max_run(int64_t n, const float* x) {
  const float lowest = -__builtin_inff();
  V best(lowest);
  int64_t i = 0;
  for (; i + W <= n; i += W) best = maximum(best, load(x + i));
  float most = max_lanes(best);
  for (; i < n; ++i) most = x[i] > most ? x[i] : most;
  return most;
}

// Σ exp(x[i] - shift)
STEPGRAD_INLINE float sum_exp_run(int64_t n, const float* x, float shift) {
  V s(0.f);
  int64_t i = 0;
  for (; i + W <= n; i += W) s = s + exp(load(x + i) - V(shift));
  float total = sum_lanes(s);
  if (i < n) {
    alignas(64) float rest[W];
    exp(load_first(x + i, static_cast<int>(n - i)) - V(shift)).store_aligned(rest);
    for (int lane = 0; i < n; ++i, ++lane) total += rest[lane];
  }
  return total;
}

// exp(x - shift) for a difference that is no float, either. -inf gives 0.
STEPGRAD_INLINE V exp_of_difference(const V& x, const V& shift) {
  const TwoParts d = sum(x, -shift);
  return Exponential(d.high, select(d.high > V(-150.f), d.low, V(0.f))).times(V(1.f));
}

// Within 4 ulp for rows of up to 2000.
void softmax(int64_t rows, int64_t n, const float* x, float* y) {
  share(rows, 8 * rows * n, 1, [&](int64_t r, int64_t end) {
    for (; r < end; ++r) {
      const float* from = x + r * n;
      float* to = y + r * n;
      const V shift(max_run(n, from));
      float total[1];
      accumulate(n, total, [&](V(&s)[1], int64_t i, int64_t rest) {
        const V e = first(exp_of_difference(load_some(from + i, rest), shift), rest);
        store_some(to + i, e, rest);
        s[0] = s[0] + e;
      });
      const V scale(1.f / total[0]);
      zip(n, Run<1>{to}, Run<1>{to}, to, [&](V v, V) { return v * scale; });
    }
  });
}

void softmax_grad(int64_t rows, int64_t n, const float* dy, const float* y, float* dx) {
  share(rows, 2 * rows * n, 1, [&](int64_t r, int64_t end) {
    for (; r < end; ++r) {
      const V total(dot_run(n, dy + r * n, y + r * n));
      zip(n, Run<1>{dy + r * n, 1}, Run<1>{y + r * n, 1}, dx + r * n,
          [&](V d, V v) { return v * (d - total); });
    }
  });
}

STEPGRAD_INLINE float log(float x) {
  alignas(64) float lanes[W];
  log(V(x)).store_aligned(lanes);
  return lanes[0];
}

// The largest element is taken off first, so that no exp overflows and one of them is 1. Within 4
// ulp, but for a result near 0, whose absolute error is below 2e-7: there, 1 + the other exps has
// lost their digits.
void log_softmax(int64_t rows, int64_t n, const float* x, float* y) {
  share(rows, 8 * rows * n, 1, [&](int64_t r, int64_t end) {
    for (; r < end; ++r) {
      const float* from = x + r * n;
      const float most = max_run(n, from);
      const V shift(most), log_sum(log(sum_exp_run(n, from, most)));
      zip(n, Run<1>{from}, Run<1>{from}, y + r * n, [&](V v, V) { return (v - shift) - log_sum; });
    }
  });
}

void log_softmax_grad(int64_t rows, int64_t n, const float* dy, const float* y, float* dx) {
  share(rows, 8 * rows * n, 1, [&](int64_t r, int64_t end) {
    for (; r < end; ++r) {
      const V total(sum_run(n, dy + r * n));
      zip(n, Run<1>{dy + r * n, 1}, Run<1>{y + r * n, 1}, dx + r * n,
          [&](V d, V v) { return d - exp(v) * total; });
    }
  });
}

// The deviations from the mean are summed, too, for what rounding it has left: with w = 1 and b =
// 0, in rows of up to 2000, |y| >= 1 is at most 4 ulp off, and less at most 4 ulp of 1.
void layer_norm(int64_t rows, int64_t n, float eps, const float* x, const float* w, const float* b,
                float* y, float* mean, float* rstd) {
  const float each = 1.f / static_cast<float>(n);
  share(rows, 4 * rows * n, 1, [&](int64_t r, int64_t end) {
    for (; r < end; ++r) {
      const float* from = x + r * n;
      const float rough = sum_run(n, from) * each;
      float sums[2];
      accumulate(n, sums, [&](V(&s)[2], int64_t i, int64_t rest) {
        const V d = first(load_some(from + i, rest) - V(rough), rest);
        s[0] = s[0] + d;
        s[1] = mul_add(d, d, s[1]);
      });
      const V shift(rough), left(sums[0] * each);
      mean[r] = rough + sums[0] * each;
      rstd[r] = 1.f / __builtin_sqrtf(sums[1] * each + eps);
      for (int64_t i = 0; i < n; i += W) {
        const V h = ((load_some(from + i, n - i) - shift) - left) * V(rstd[r]);
        store_some(y + r * n + i, mul_add(h, load_some(w + i, n - i), load_some(b + i, n - i)),
                   n - i);
      }
    }
  });
}

// Blocks of rows have sums for dw and db of their own, which are added in order.
void layer_norm_grad(int64_t rows, int64_t n, const float* dy, const float* x, const float* w,
                     const float* mean, const float* rstd, float* dx, float* dw, float* db) {
  constexpr int64_t length = 64;  // of a block
  const int64_t blocks = ceil_div(rows, length);
  const float each = 1.f / static_cast<float>(n);
  static thread_local Scratch scratch;
  float* partial = scratch.floats(blocks * 2 * n);  // [blocks, 2, n]
  share(blocks, 8 * rows * n, 1, [&](int64_t block, int64_t end) {
    for (; block < end; ++block) {
      float *dw_part = partial + block * 2 * n, *db_part = dw_part + n;
      for (int64_t i = 0; i < 2 * n; ++i) dw_part[i] = 0;
      for (int64_t r = block * length; r < smaller(rows, (block + 1) * length); ++r) {
        const float *dy_row = dy + r * n, *x_row = x + r * n;
        float* dx_row = dx + r * n;  // dh, at first
        const V shift(mean[r]), scale(rstd[r]);
        float sums[2];  // Σ dh, Σ h dh
        accumulate(n, sums, [&](V(&s)[2], int64_t i, int64_t rest) {
          const V d = load_some(dy_row + i, rest), dh = d * load_some(w + i, rest);
          const V h = (load_some(x_row + i, rest) - shift) * scale;
          s[0] = s[0] + dh;
          s[1] = mul_add(h, dh, s[1]);
          store_some(dx_row + i, dh, rest);
          store_some(dw_part + i, mul_add(d, h, load_some(dw_part + i, rest)), rest);
          store_some(db_part + i, load_some(db_part + i, rest) + d, rest);
        });
        const V dh_mean(sums[0] * each), slope(sums[1] * each);
        for (int64_t i = 0; i < n; i += W) {
          const V dh = load_some(dx_row + i, n - i);
          const V h = (load_some(x_row + i, n - i) - shift) * scale;
          store_some(dx_row + i, scale * ((dh - dh_mean) - h * slope), n - i);
        }
      }
    }
  });
  share(n, 2 * blocks * n, W, [&](int64_t i, int64_t end) {
    sum_columns(blocks, end - i, partial + i, 2 * n, dw + i);
    sum_columns(blocks, end - i, partial + n + i, 2 * n, db + i);
  });
}

void gather(int64_t rows, int64_t n, const float* x, const float* ids, float* y) {
  share(rows, rows * n, 1, [&](int64_t r, int64_t end) {
    for (; r < end; ++r) copy_run(n, x + static_cast<int64_t>(ids[r]) * n, 1, y + r * n);
  });
}

// Several r may name the same row of dx, so the threads share out the columns, not the rows:
// each element of dx belongs to one thread, which adds to it in rising r.
void scatter_add(int64_t rows, int64_t n, const float* dy, const float* ids, float* dx) {
  share(n, rows * n, 4 * W, [&](int64_t begin, int64_t end) {
    for (int64_t r = 0; r < rows; ++r) {
      float* to = dx + static_cast<int64_t>(ids[r]) * n + begin;
      zip(end - begin, Run<1>{to, 1}, Run<1>{dy + r * n + begin, 1}, to, Add{});
    }
  });
}

}  // namespace
}  // namespace stepgrad::kernels
