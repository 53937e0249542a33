#pragma once

#include "core/kernels/simd/elementwise.hpp"
#include "core/kernels/simd/transpose.hpp"

// Copies that change the order: expand, permute, repeat, slice.
namespace stepgrad::kernels {
namespace {

STEPGRAD_INLINE void copy_run(int64_t n, const float* x, int64_t step, float* y) {
  if (step > 1) {
    for (int64_t i = 0; i < n; ++i) y[i] = x[i * step];
  } else {
    for (int64_t i = 0; i < n; i += W) {
      store_some(y + i, step == 1 ? load_some(x + i, n - i) : V(*x), n - i);
    }
  }
}

// The dimension along which x is dense, or the last one if there is none.
STEPGRAD_INLINE int dense_dim(const Strides& s) {
  for (int d = s.dims - 1; d >= 0; --d) {
    if (s.a[d] == 1 && s.size[d] > 1) return d;
  }
  return s.dims - 1;
}

// A walk over all dimensions of s but two, `last` and `dense`, by falling steps in x, so that
// memory is read in order; b holds the steps in y. in_y: those of the two.
STEPGRAD_INLINE Strides reading_order(const Strides& s, int last, int dense) {
  Strides walk{};
  for (int64_t d = last, in_y = 1; d >= 0; in_y *= s.size[d--]) {
    if (d == last || d == dense) continue;
    int at = walk.dims++;
    for (; at > 0 && walk.a[at - 1] < s.a[d]; --at) {
      walk.size[at] = walk.size[at - 1], walk.a[at] = walk.a[at - 1], walk.b[at] = walk.b[at - 1];
    }
    walk.size[at] = s.size[d], walk.a[at] = s.a[d], walk.b[at] = in_y;
  }
  ++walk.dims;  // a cursor leaves out the last one
  return walk;
}

// x is read along its dense dimension, y written along the last one, in tiles of 16 x 16: every
// cache line that is touched, on either side, is used whole. Where x is dense along the last
// dimension or none, a tile is a run.
void copy(const Strides& s, const float* x, float* y) {
  constexpr int64_t tile = 16;
  const int last = s.dims - 1;
  if (last < 0) return fill(1, *x, y);
  const int dense = s.a[last] == 0 ? last : dense_dim(s);
  const Strides walk = reading_order(s, last, dense);
  const int64_t n = s.size[last], step = s.a[last], rows = count_rows(walk);
  if (rows * n == 0) return;
  if (dense == last && rows == 1) {
    share(n, step == 0 ? n / 2 : n, W,
          [&](int64_t i, int64_t end) { copy_run(end - i, x + i * step, step, y + i); });
    return;
  }
  if (dense == last) {
    share(rows, rows * n, 1, [&](int64_t row, int64_t end) {
      for (RowCursor at(walk, row); row < end; ++row, at.next()) {
        copy_run(n, x + at.a, step, y + at.b);
      }
    });
    return;
  }
  int64_t dense_in_y = 1;
  for (int d = last; d > dense; --d) dense_in_y *= s.size[d];
  const int64_t cols = s.size[dense], strips = ceil_div(n, tile);
  share(rows * strips, rows * n * cols, 1, [&](int64_t task, int64_t end) {
    for (; task < end; ++task) {
      const RowCursor at(walk, task / strips);
      const int64_t i = task % strips * tile, height = smaller(tile, n - i);
      for (int64_t j = 0; j < cols; j += tile) {
        transpose(height, smaller(tile, cols - j), x + at.a + i * step + j, step,
                  y + at.b + j * dense_in_y + i, dense_in_y);
      }
    }
  });
}

}  // namespace
}  // namespace stepgrad::kernels
