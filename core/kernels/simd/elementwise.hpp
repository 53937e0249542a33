#pragma once

#include "core/kernels/simd/threads.hpp"

// One pass over the elements. The walks below call a formula for whole vectors and for the rest of
// a run alike, so an element's value does not depend on where a run begins.
namespace stepgrad::kernels {
namespace {

// Whether to write a result of n numbers, in runs of `run`, with non-temporal stores: it consists
// of whole cache lines, overwrites no operand, and is too large to stay in the caches until it is
// read.
STEPGRAD_INLINE bool non_temporal(int64_t n, int64_t run, const float* y, const float* a, const float* b) {
  constexpr int64_t large = 1 << 22, line = 64;  // large: 16 MiB
  return n >= large && run * 4 % line == 0 && reinterpret_cast<uintptr_t>(y) % line == 0 && y != a && y != b;
}
STEPGRAD_INLINE void store(float* y, const V& v, bool streamed) { streamed ? stream(y, v) : store(y, v); }
STEPGRAD_INLINE void fence_streams(bool streamed) {
  if (streamed) fence_streams();
}

// y[i] = f(x[i])
STEPGRAD_INLINE void map(int64_t n, const float* x, float* y, const auto& f) {
  const bool streamed = non_temporal(n, 0, y, x, x);
  share(n, n, W, [&](int64_t i, int64_t end) {
    for (; i + W <= end; i += W) {
      if (streamed) __builtin_prefetch(x + i + 256);  // for f may take as long as the line
      store(y + i, f(load(x + i)), streamed);
    }
    if (i < end) store_some(y + i, f(load_some(x + i, end - i)), end - i);
    fence_streams(streamed);
  });
}

// y[i] = f(x[i]) for a function f.
template <V (*f)(const V&)>
STEPGRAD_INLINE void map(int64_t n, const float* x, float* y) {
  map(n, x, y, [](const V& v) STEPGRAD_LAMBDA { return f(v); });
}

// A run along the last dimension with elements `step` apart: 1 (dense), 0 (broadcast), or another
// step.
template <int step>
struct Run {
  const float* at;
  int64_t stride = step;
  STEPGRAD_INLINE V load_some(int64_t i, int64_t n) const {
    if constexpr (step == 1) return kernels::load_some(at + i, n);
    if constexpr (step == 0) return V(*at);
    alignas(64) float lanes[W] = {};
    for (int lane = 0; lane < smaller(W, n); ++lane) lanes[lane] = at[(i + lane) * stride];
    return V::load_aligned(lanes);
  }
};

// y[i] = f(a[i], b[i]) for i in [0, n)
STEPGRAD_INLINE void zip(int64_t n, const auto& a, const auto& b, float* y, const auto& f, bool streamed = false) {
  int64_t i = 0;
  for (; i + W <= n; i += W) store(y + i, f(a.load_some(i, W), b.load_some(i, W)), streamed);
  if (i < n) store_some(y + i, f(a.load_some(i, n - i), b.load_some(i, n - i)), n - i);
}

// y[i] = f(a[i], b[i]) for n elements, on all threads.
STEPGRAD_INLINE void map(int64_t n, const float* a, const float* b, float* y, const auto& f) {
  const bool streamed = non_temporal(n, 0, y, a, b);
  share(n, n, W, [&](int64_t i, int64_t end) {
    zip(end - i, Run<1>{a + i}, Run<1>{b + i}, y + i, f, streamed);
    fence_streams(streamed);
  });
}

template <class F>
void zip_run(
    int64_t n, const float* a, int64_t a_step, const float* b, int64_t b_step, float* y, const F& f, bool streamed) {
  if (a_step == 1 && b_step == 1) return zip(n, Run<1>{a}, Run<1>{b}, y, f, streamed);
  if (a_step == 1 && b_step == 0) return zip(n, Run<1>{a}, Run<0>{b}, y, f, streamed);
  if (a_step == 0 && b_step == 1) return zip(n, Run<0>{a}, Run<1>{b}, y, f, streamed);
  zip(n, Run<2>{a, a_step}, Run<2>{b, b_step}, y, f);
}

// The position of a walk over all dimensions but the last: the row's index in each, and its first
// elements of a and b.
struct RowCursor {
  const Strides& s;
  int64_t index[max_dims] = {};
  int64_t a = 0, b = 0;

  STEPGRAD_INLINE RowCursor(const Strides& strides, int64_t row) : s(strides) {
    for (int d = s.dims - 2; d >= 0; --d) {
      index[d] = row % s.size[d];
      row /= s.size[d];
      a += index[d] * s.a[d];
      b += index[d] * s.b[d];
    }
  }

  STEPGRAD_INLINE void next() {
    for (int d = s.dims - 2; d >= 0; --d) {
      a += s.a[d];
      b += s.b[d];
      if (++index[d] < s.size[d]) return;
      a -= s.a[d] * s.size[d];
      b -= s.b[d] * s.size[d];
      index[d] = 0;
    }
  }
};

STEPGRAD_INLINE int64_t count_rows(const Strides& s) {
  int64_t rows = 1;
  for (int d = 0; d + 1 < s.dims; ++d) rows *= s.size[d];
  return rows;
}

// y = f(a, b) by strides, for two dimensions or more; map_strided, below, takes any.
template <class F>
[[gnu::noinline]] void map_rows(const Strides& s, const float* a, const float* b, float* y, const F& f) {
  const int last = s.dims - 1;
  const int64_t n = s.size[last], rows = count_rows(s);
  if (rows * n == 0) return;
  const bool streamed = non_temporal(rows * n, n, y, a, b);
  share(rows, rows * n, 1, [&](int64_t row, int64_t end) {
    for (RowCursor at(s, row); row < end; ++row, at.next()) {
      zip_run(n, a + at.a, s.a[last], b + at.b, s.b[last], y + row * n, f, streamed);
    }
    fence_streams(streamed);
  });
}
template <class F>
STEPGRAD_INLINE void map_strided(const Strides& s, const float* a, const float* b, float* y, const F& f) {
  if (s.dims > 1) return map_rows(s, a, b, y, f);
  const int64_t n = s.dims == 0 ? 1 : s.size[0];
  const int64_t a_step = s.dims == 0 ? 1 : s.a[0], b_step = s.dims == 0 ? 1 : s.b[0];
  const bool streamed = non_temporal(n, 0, y, a, b);
  share(n, n, W, [&](int64_t i, int64_t end) {
    zip_run(end - i, a + i * a_step, a_step, b + i * b_step, b_step, y + i, f, streamed);
    fence_streams(streamed);
  });
}

struct Add {
  STEPGRAD_INLINE V operator()(const V& a, const V& b) const { return a + b; }
};

STEPGRAD_INLINE V one_where(const Mask& mask) { return select(mask, V(1.f), V(0.f)); }

void add(const Strides& s, const float* a, const float* b, float* y) { map_strided(s, a, b, y, Add{}); }
void sub(const Strides& s, const float* a, const float* b, float* y) {
  map_strided(s, a, b, y, [](V a, V b) { return a - b; });
}
void mul(const Strides& s, const float* a, const float* b, float* y) {
  map_strided(s, a, b, y, [](V a, V b) { return a * b; });
}
void div(const Strides& s, const float* a, const float* b, float* y) {
  map_strided(s, a, b, y, [](V a, V b) { return divide(a, b); });
}
void eq(const Strides& s, const float* a, const float* b, float* y) {
  map_strided(s, a, b, y, [](V a, V b) { return one_where(a == b); });
}
void gt(const Strides& s, const float* a, const float* b, float* y) {
  map_strided(s, a, b, y, [](V a, V b) { return one_where(a > b); });
}
void lt(const Strides& s, const float* a, const float* b, float* y) {
  map_strided(s, a, b, y, [](V a, V b) { return one_where(a < b); });
}
void masked_fill(const Strides& s, const float* x, const float* mask, float value, float* y) {
  map_strided(s, x, mask, y, [&](V x, V mask) { return select(mask == V(0.f), x, V(value)); });
}

// Flips the sign bit, of a zero too; not every xsimd's unary minus does.
void neg(int64_t n, const float* x, float* y) {
  map(n, x, y, [](V x) { return x ^ V(-0.f); });
}

// maximum returns its second operand if either is a NaN, hence the order here and in clamp.
void relu(int64_t n, const float* x, float* y) {
  map(n, x, y, [](V x) { return maximum(V(0.f), x); });
}
void relu_grad(int64_t n, const float* dy, const float* y, float* dx) {
  map(n, dy, y, dx, [](V dy, V y) { return select(y <= V(0.f), V(0.f), dy); });
}

void clamp(int64_t n, const float* x, float lo, float hi, float* y) {
  map(n, x, y, [&](V x) { return minimum(V(hi), maximum(V(lo), x)); });
}
void clamp_grad(int64_t n, const float* dy, const float* x, float lo, float hi, float* dx) {
  map(n, dy, x, dx, [&](V dy, V x) { return select((x >= V(lo)) & (x <= V(hi)), dy, V(0.f)); });
}

void where(int64_t n, const float* mask, const float* a, const float* b, float* y) {
  share(n, n, W, [&](int64_t i, int64_t end) {
    for (; i < end; i += W) {
      const V first = load_some(a + i, end - i), second = load_some(b + i, end - i);
      store_some(y + i, select(load_some(mask + i, end - i) == V(0.f), second, first), end - i);
    }
  });
}

void fill(int64_t n, float value, float* y) {
  const bool streamed = non_temporal(n, 0, y, nullptr, nullptr);
  share(n, n / 2, W, [&](int64_t i, int64_t end) {
    for (; i + W <= end; i += W) store(y + i, V(value), streamed);
    for (; i < end; ++i) y[i] = value;
    fence_streams(streamed);
  });
}

}
}
