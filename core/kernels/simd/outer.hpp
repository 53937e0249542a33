#pragma once

#include "core/kernels/simd/parallel.hpp"
#include "core/kernels/simd/tile.hpp"

// Aᵀ·B where A and B have few rows: the gradient of a weight of few rows of X, or the output of few
// hidden columns. It is written row by row, in the order of memory, and that is nearly all the work
// there is. Each element is one chain of multiply-adds in rising order of the rows, as in a tile.
namespace stepgrad::kernels {
namespace {

constexpr int most_outer_rows = 8;

// sum(a[:, i], y + i·y_row) for i < m.
template <int rows, class Sum>
STEPGRAD_INLINE void for_rows(PlacedRows a, int64_t m, float* y, int64_t y_row, const Sum& sum) {
  for (; m > 0; m -= panel, a.at += a.jump) {
    for (int64_t i = 0; i < smaller(panel, m); ++i, y += y_row) {
      V left[rows];
      STEPGRAD_UNROLL
      for (int r = 0; r < rows; ++r) left[r] = V(a.at[r * a.row + i * a.step]);
      sum(left, y);
    }
  }
}

// Σ_r left[r]·right(r), plus `cols` numbers of the bias unless it is null.
template <int rows, class Right>
STEPGRAD_INLINE V sum_rows(const V (&left)[rows], const Right& right, const float* bias,
                           int64_t cols) {
  V sum(0.f);
  STEPGRAD_UNROLL
  for (int r = 0; r < rows; ++r) sum = mul_add(left[r], right(r), sum);
  return bias ? sum + load_some(bias, cols) : sum;
}

// out[i, j] = Σ_r a[r, i]·b[r, j], plus the bias, for i < m, j < out.cols.
template <int rows>
__attribute__((noinline)) void multiply_outer(PlacedRows a, int64_t m, PlacedRows b, ToMatrix out) {
  const int64_t n = out.cols;
  const float* bias = out.bias;
  const bool streams = out.streams;
  if (n <= W) {
    V right[rows];  // all of b
    STEPGRAD_UNROLL
    for (int r = 0; r < rows; ++r) right[r] = load_some(b.at + r * b.row, n);
    const auto column = [&](int r) { return right[r]; };
    return for_rows<rows>(a, m, out.y, out.row, [&](const V(&left)[rows], float* to) {
      store_some(to, sum_rows(left, column, bias, n), n);
    });
  }
  for_rows<rows>(a, m, out.y, out.row, [&](const V(&left)[rows], float* to) {
    const float* at = b.at;
    int64_t j = 0;
    for (; j + panel <= n; j += panel, at += b.jump) {
      STEPGRAD_UNROLL
      for (int v = 0; v < panel; v += W) {
        const auto right = [&](int r) { return load(at + r * b.row + v); };
        const V sum = sum_rows(left, right, bias ? bias + j + v : nullptr, W);
        if (streams)
          stream(to + j + v, sum);
        else
          store(to + j + v, sum);
      }
    }
    for (; j < n; j += W, at += W) {
      const auto right = [&](int r) { return load_some(at + r * b.row, n - j); };
      store_some(to + j, sum_rows(left, right, bias ? bias + j : nullptr, n - j), n - j);
    }
  });
  if (streams) fence_streams();
}

// The same for `rows` <= most_outer_rows and n columns, of which so many at a time that those of b
// stay in L1.
template <int most = most_outer_rows>
STEPGRAD_INLINE void multiply_outer_of(int64_t rows, const PlacedRows& a, int64_t m,
                                       const PlacedRows& b, int64_t n, const ToMatrix& out) {
  if constexpr (most > 1) {
    if (rows < most) return multiply_outer_of<most - 1>(rows, a, m, b, n, out);
  }
  constexpr int64_t width = 4096 / most / panel * panel;
  for (int64_t j = 0; j < n; j += width) {
    ToMatrix to = out.right(j);
    to.cols = static_cast<int>(smaller(width, n - j));
    multiply_outer<most>(a, m, b.from(j), to);
  }
}

// This thread's share of y = aᵀ·b [m, n]: rows, which are a stretch of memory of its own, or
// columns where rows are too few to share out. One half of each row to a thread takes a fifth
// longer.
STEPGRAD_INLINE void share_outer(const Team& team, int64_t rows, const PlacedRows& a, int64_t m,
                                 const PlacedRows& b, int64_t n, bool streams, float* y) {
  const bool by_rows = count_panels(m) >= team.size;
  const Range is = by_rows ? team.share(m, panel) : Range{0, m};
  const Range js = by_rows ? Range{0, n} : team.share(n, panel);
  multiply_outer_of(rows, a.from(is.begin), is.end - is.begin, b.from(js.begin), js.end - js.begin,
                    ToMatrix{y + is.begin * n + js.begin, n, panel, false, streams});
}

}  // namespace
}  // namespace stepgrad::kernels
