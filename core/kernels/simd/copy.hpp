#pragma once

#include "core/kernels/simd/elementwise.hpp"
#include "core/kernels/simd/transpose.hpp"

// Copies that reorder: expand, permute, repeat, slice.
namespace stepgrad::kernels {
namespace {

STEPGRAD_INLINE void copy_run(int64_t n, const float* x, int64_t step, float* y, bool streamed) {
  if (streamed && step <= 1) {
    int64_t i = 0;
    for (; i + W <= n; i += W) stream(y + i, step ? load(x + i) : V(*x));
    store_some(y + i, step ? load_some(x + i, n - i) : V(*x), n - i);
  } else if (step == 1) {
    memcpy(y, x, size_t(n) * sizeof(float));
  } else if (step == 0) {
    for (int64_t i = 0; i < n; ++i) y[i] = *x;
  } else {
    for (int64_t i = 0; i < n; ++i) y[i] = x[i * step];
  }
}

// The dimension along which x is dense, or the last one if there is none.
STEPGRAD_INLINE int dense_dim(const Strides& s) {
  for (int d = s.dims - 1; d >= 0; --d) {
    if (s.a[d] == 1 && s.size[d] > 1) return d;
  }
  return s.dims - 1;
}

// Reads along the dense dimension and writes along the last one, in tiles of 16 x 16, so that each
// cache line read or written is used whole.
void copy_transposed(const Strides& s, int dense, const float* x, float* y) {
  constexpr int64_t tile = 16;
  const int last = s.dims - 1;
  Strides walk{};  // over the other dimensions; the cursor's b is the place in y
  walk.dims = s.dims - 1;
  int64_t dense_in_y = 1, in_y = 1, total = 1;
  for (int d = last, to = walk.dims - 2; d >= 0; --d) {
    if (d == dense) dense_in_y = in_y;
    if (d != dense && d != last) {
      walk.size[to] = s.size[d];
      walk.a[to] = s.a[d];
      walk.b[to--] = in_y;
    }
    in_y *= s.size[d];
    total *= s.size[d];
  }
  const int64_t rows = s.size[last], cols = s.size[dense];
  const int64_t strips = ceil_div(rows, tile);
  share(count_rows(walk) * strips, total, 1, [&](int64_t task, int64_t end) {
    for (; task < end; ++task) {
      const RowCursor at(walk, task / strips);
      const int64_t i = task % strips * tile, height = smaller(tile, rows - i);
      for (int64_t j = 0; j < cols; j += tile) {
        transpose(height, smaller(tile, cols - j), x + at.a + i * s.a[last] + j, s.a[last],
            y + at.b + j * dense_in_y + i, dense_in_y);
      }
    }
  });
}

void copy(const Strides& s, const float* x, float* y) {
  const int last = s.dims - 1;
  const int64_t n = last < 0 ? 1 : s.size[last], step = last < 0 ? 1 : s.a[last];
  const int64_t rows = count_rows(s);
  if (rows * n == 0) return;
  const int dense = dense_dim(s);
  if (dense < last && step != 0) return copy_transposed(s, dense, x, y);
  if (rows == 1) {
    const bool streamed = non_temporal(n, 0, y, x, x);
    share(n, step == 0 ? n / 2 : n, W, [&](int64_t i, int64_t end) {
      copy_run(end - i, x + i * step, step, y + i, streamed);
      fence_streams(streamed);
    });
    return;
  }
  const bool streamed = non_temporal(rows * n, n, y, x, x);
  share(rows, rows * n, 1, [&](int64_t row, int64_t end) {
    for (RowCursor at(s, row); row < end; ++row, at.next()) {
      copy_run(n, x + at.a, step, y + row * n, streamed);
    }
    fence_streams(streamed);
  });
}

}
}
