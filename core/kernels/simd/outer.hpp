#pragma once

#include "core/kernels/simd/parallel.hpp"
#include "core/kernels/simd/tile.hpp"

// Aᵀ·B where A and B have few rows: the gradient of a weight of few rows of X, or the output of few
// hidden columns. It is written a few rows at a time, nearly in the order of memory, and that is
// most of the work. Each element is one chain of multiply-adds in rising order of the rows, as in a
// tile.
namespace stepgrad::kernels {
namespace {

constexpr int most_outer_rows = 8;

// Rows of the result at a time, which share what is loaded of b: up to four, whose elements of a
// fill about half of the registers.
template <int rows>
constexpr int outer_at_once = smaller(4, (tile_rows * tile_vectors * 2 / 3 + rows - 1) / rows);

// sum(left, y) for every `outer_at_once` rows of the result, and then for single ones: left[s][r]
// is a[r, i + s] for the rows i + s < m of the result, the first of which begins at y.
template <int rows, class Sum>
STEPGRAD_INLINE void for_rows(PlacedRows a, int64_t m, float* y, int64_t y_row, const Sum& sum) {
  const auto some_rows = [&]<int some>(std::integral_constant<int, some>, int64_t i) {
    V left[some][rows];
    STEPGRAD_UNROLL
    for (int s = 0; s < some; ++s) {
      STEPGRAD_UNROLL
      for (int r = 0; r < rows; ++r) left[s][r] = V(a.at[r * a.row + (i + s) * a.step]);
    }
    sum(left, y);
    y += some * y_row;
  };
  constexpr int some = outer_at_once<rows>;
  for (; m > 0; m -= panel, a.at += a.jump) {
    int64_t i = 0;
    if constexpr (some > 1) {
      for (; i + some <= smaller(panel, m); i += some) {
        some_rows(std::integral_constant<int, some>{}, i);
      }
    }
    for (; i < smaller(panel, m); ++i) some_rows(std::integral_constant<int, 1>{}, i);
  }
}

// put(s, Σ_r left[s][r]·right(r), plus `cols` numbers of the bias unless it is null).
template <int rows, int some, class Right, class Put>
STEPGRAD_INLINE void sum_rows(const V (&left)[some][rows], const Right& right, const float* bias,
                              int64_t cols, const Put& put) {
  V sum[some];
  STEPGRAD_UNROLL
  for (int s = 0; s < some; ++s) sum[s] = V(0.f);
  STEPGRAD_UNROLL
  for (int r = 0; r < rows; ++r) {
    const V b = right(r);
    STEPGRAD_UNROLL
    for (int s = 0; s < some; ++s) sum[s] = mul_add(left[s][r], b, sum[s]);
  }
  STEPGRAD_UNROLL
  for (int s = 0; s < some; ++s) put(s, bias ? sum[s] + load_some(bias, cols) : sum[s]);
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
    return for_rows<rows>(a, m, out.y, out.row, [&](const auto& left, float* to) {
      sum_rows(left, column, bias, n,
               [&](int s, const V& sum) { store_some(to + s * out.row, sum, n); });
    });
  }
  for_rows<rows>(a, m, out.y, out.row, [&](const auto& left, float* to) {
    const float* at = b.at;
    int64_t j = 0;
    for (; j + panel <= n; j += panel, at += b.jump) {
      STEPGRAD_UNROLL
      for (int v = 0; v < panel; v += W) {
        const auto right = [&](int r) { return load(at + r * b.row + v); };
        sum_rows(left, right, bias ? bias + j + v : nullptr, W, [&](int s, const V& sum) {
          if (streams)
            stream(to + s * out.row + j + v, sum);
          else
            store(to + s * out.row + j + v, sum);
        });
      }
    }
    for (; j < n; j += W, at += W) {
      const auto right = [&](int r) { return load_some(at + r * b.row, n - j); };
      sum_rows(left, right, bias ? bias + j : nullptr, n - j,
               [&](int s, const V& sum) { store_some(to + s * out.row + j, sum, n - j); });
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
