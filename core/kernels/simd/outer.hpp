#pragma once

#include "core/kernels/simd/parallel.hpp"
#include "core/kernels/simd/tile.hpp"

// Aᵀ·B where A and B have few rows: the gradient of a weight is then written row by row, in the
// order of memory, and that is nearly all the work there is. Each element is one chain of
// multiply-adds in rising order of the rows, as in a tile.
namespace stepgrad::kernels {
namespace {

constexpr int most_outer_rows = 8;

// A few rows of panels, or of a row-major matrix, whose panels lie side by side.
struct FewRows {
  const float* at;
  int64_t row, jump;  // from row to row, from panel to panel
  STEPGRAD_INLINE FewRows from(int64_t panel_begin) const {
    return {at + panel_begin / panel * jump, row, jump};
  }
};

// sum(a[:, i], y + i·y_row) for i < m.
template <int rows, class Sum>
STEPGRAD_INLINE void for_rows(FewRows a, int64_t m, float* y, int64_t y_row, const Sum& sum) {
  for (; m > 0; m -= panel, a.at += a.jump) {
    for (int64_t i = 0; i < smaller(panel, m); ++i, y += y_row) {
      V left[rows];
      STEPGRAD_UNROLL
      for (int r = 0; r < rows; ++r) left[r] = V(a.at[r * a.row + i]);
      sum(left, y);
    }
  }
}

template <int rows, class Right>
STEPGRAD_INLINE V sum_rows(const V (&left)[rows], const Right& right) {
  V sum(0.f);
  STEPGRAD_UNROLL
  for (int r = 0; r < rows; ++r) sum = mul_add(left[r], right(r), sum);
  return sum;
}

// y[i, j] = Σ_r a[r, i]·b[r, j] for i < m, j < n; the rows of y lie y_row apart.
template <int rows>
__attribute__((noinline)) void multiply_outer(FewRows a, int64_t m, FewRows b, int64_t n,
                                              bool streams, float* y, int64_t y_row) {
  if (n <= W) {
    V right[rows];  // all of b
    STEPGRAD_UNROLL
    for (int r = 0; r < rows; ++r) right[r] = load_some(b.at + r * b.row, n);
    return for_rows<rows>(a, m, y, y_row, [&](const V(&left)[rows], float* to) {
      store_some(to, sum_rows(left, [&](int r) { return right[r]; }), n);
    });
  }
  for_rows<rows>(a, m, y, y_row, [&](const V(&left)[rows], float* to) {
    const float* at = b.at;
    int64_t j = 0;
    for (; j + panel <= n; j += panel, at += b.jump) {
      STEPGRAD_UNROLL
      for (int v = 0; v < panel; v += W) {
        const V sum = sum_rows(left, [&](int r) { return load(at + r * b.row + v); });
        if (streams)
          stream(to + j + v, sum);
        else
          store(to + j + v, sum);
      }
    }
    for (; j < n; j += W, at += W) {
      store_some(to + j, sum_rows(left, [&](int r) { return load_some(at + r * b.row, n - j); }),
                 n - j);
    }
  });
  if (streams) fence_streams();
}

// The same for `rows` <= most_outer_rows, and so many columns of b at a time that they stay in L1.
template <int most = most_outer_rows>
STEPGRAD_INLINE void multiply_outer_of(int64_t rows, const FewRows& a, int64_t m, const FewRows& b,
                                       int64_t n, bool streams, float* y, int64_t y_row) {
  if constexpr (most > 1) {
    if (rows < most) return multiply_outer_of<most - 1>(rows, a, m, b, n, streams, y, y_row);
  }
  constexpr int64_t width = 4096 / most / panel * panel;
  for (int64_t j = 0; j < n; j += width) {
    multiply_outer<most>(a, m, b.from(j), smaller(width, n - j), streams, y + j, y_row);
  }
}

// This thread's share of y = aᵀ·b [m, n]: rows, which are a stretch of memory of its own, or
// columns where rows are too few to share out. One half of each row to a thread takes a fifth
// longer.
STEPGRAD_INLINE void share_outer(const Team& team, int64_t rows, const FewRows& a, int64_t m,
                                 const FewRows& b, int64_t n, bool streams, float* y) {
  const bool by_rows = count_panels(m) >= team.size;
  const Range is = by_rows ? team.share(m, panel) : Range{0, m};
  const Range js = by_rows ? Range{0, n} : team.share(n, panel);
  multiply_outer_of(rows, a.from(is.begin), is.end - is.begin, b.from(js.begin), js.end - js.begin,
                    streams, y + is.begin * n + js.begin, n);
}

}  // namespace
}  // namespace stepgrad::kernels
