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
      const Run<1> from{x + r * n, 1}, to{y + r * n, 1};
      const V shift(max_run(n, from.at));
      zip(n, from, from, y + r * n, [&](V v, V) { return exp_of_difference(v, shift); });
      const V total(sum_run(n, to.at));
      zip(n, to, to, y + r * n, [&](V v, V) { return divide(v, total); });
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
      zip(n, Run<1>{from, 1}, Run<1>{from, 1}, y + r * n,
          [&](V v, V) { return (v - shift) - log_sum; });
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

// The squares are summed after the mean is taken off, so that no digits are lost: in rows of
// up to 2000, |y| >= 1 is at most 4 ulp off, and less at most 4 ulp of 1.
void normalize(int64_t rows, int64_t n, float eps, const float* x, float* y, float* rstd) {
  const float each = 1.f / static_cast<float>(n);
  share(rows, 4 * rows * n, 1, [&](int64_t r, int64_t end) {
    for (; r < end; ++r) {
      const Run<1> from{x + r * n, 1}, to{y + r * n, 1};
      const V mean(sum_run(n, from.at) * each);
      zip(n, from, from, y + r * n, [&](V v, V) { return v - mean; });
      const V rest(sum_run(n, to.at) * each);  // what rounding the mean has left
      rstd[r] = 1.f / __builtin_sqrtf(dot_run(n, to.at, to.at) * each + eps);
      zip(n, to, to, y + r * n, [&, scale = V(rstd[r])](V v, V) { return (v - rest) * scale; });
    }
  });
}

void normalize_grad(int64_t rows, int64_t n, const float* dy, const float* y, const float* rstd,
                    float* dx) {
  const float each = 1.f / static_cast<float>(n);
  share(rows, 4 * rows * n, 1, [&](int64_t r, int64_t end) {
    for (; r < end; ++r) {
      const V mean(sum_run(n, dy + r * n) * each), scale(rstd[r]);
      const V slope(dot_run(n, dy + r * n, y + r * n) * each);
      zip(n, Run<1>{dy + r * n, 1}, Run<1>{y + r * n, 1}, dx + r * n,
          [&](V d, V v) { return scale * ((d - mean) - v * slope); });
    }
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
