#pragma once

#include "core/kernels/simd/elementwise.hpp"

// Sums whose order of additions depends on the shape only: the summed dimension is cut into blocks
// of a fixed length, and the blocks' sums are added in order. Threads do not change it, and short
// partial sums lose fewer digits.
namespace stepgrad::kernels {
namespace {

// Elements of a run that are summed as four vectors, each a chain of 16 additions.
constexpr int64_t run_block = 16 * 4 * W;

// Sums along a run from i to `end`: step(s, i, rest) adds the vector at i to the sums s; `rest`
// elements are left, and lanes beyond must add nothing. Each sum has four accumulators, so that an
// addition need not wait for the previous one. Blocks are added two by two, and so are their sums.
template <int sums>
STEPGRAD_INLINE void sums_of_block(int64_t i, int64_t end, float (&totals)[sums], const auto& step) {
  V s[4][sums];
  STEPGRAD_UNROLL
  for (int j = 0; j < sums; ++j) s[0][j] = s[1][j] = s[2][j] = s[3][j] = V(0.f);
  for (; i + 4 * W <= end; i += 4 * W) {
    STEPGRAD_UNROLL
    for (int v = 0; v < 4; ++v) step(s[v], i + v * W, int64_t{W});
  }
  for (; i < end; i += W) step(s[0], i, end - i);
  STEPGRAD_UNROLL
  for (int j = 0; j < sums; ++j) totals[j] = sum_lanes((s[0][j] + s[1][j]) + (s[2][j] + s[3][j]));
}

template <int sums>
STEPGRAD_INLINE void sums_of_steps(int64_t n, float (&totals)[sums], const auto& step) {
  float level[48][sums];  // level l: the sum of 2^l blocks, if bit l of their number is set
  int64_t blocks = 0;
  for (;; ++blocks) {
    const int64_t begin = blocks * run_block, end = smaller(n, begin + run_block);
    sums_of_block(begin, end, totals, step);
    if (end == n) break;
    int l = 0;
    for (; blocks >> l & 1; ++l)
      for (int j = 0; j < sums; ++j) totals[j] += level[l][j];
    for (int j = 0; j < sums; ++j) level[l][j] = totals[j];
  }
  for (int l = 0; blocks >> l; ++l)
    for (int j = 0; (blocks >> l & 1) && j < sums; ++j) totals[j] += level[l][j];
}

// Σ x[i]
STEPGRAD_INLINE float sum_run(int64_t n, const float* x) {
  float total[1];
  sums_of_steps(n, total, [&](V(&s)[1], int64_t i, int64_t rest) { s[0] = s[0] + load_some(x + i, rest); });
  return total[0];
}

// Σ a[i] b[i]
STEPGRAD_INLINE float dot_run(int64_t n, const float* a, const float* b) {
  float total[1];
  sums_of_steps(n, total,
      [&](V(&s)[1], int64_t i, int64_t rest) { s[0] = mul_add(load_some(a + i, rest), load_some(b + i, rest), s[0]); });
  return total[0];
}

// Rows that are summed as one chain of additions; their sums are grouped likewise. The fused
// feed-forward layer uses the same groups.
constexpr int64_t sum_rows = 128;

// y[i] = Σ_j x[j, i] for j < n, i < width; rows of x are `row` apart. Eight rows at a time, read as
// eight streams, so y is read and written n / 8 times.
STEPGRAD_INLINE void sum_columns(int64_t n, int64_t width, const float* x, int64_t row, float* y) {
  constexpr int64_t group = 8;
  if (n == 0) return fill(width, 0.f, y);
  for (int64_t j = 0; j < n; j += group, x += group * row) {
    const int64_t rows = smaller(group, n - j);
    for (int64_t i = 0; i < width; i += W) {
      V s = j == 0 ? V(0.f) : load_some(y + i, width - i);
      for (int64_t r = 0; r < rows; ++r) s = s + load_some(x + r * row + i, width - i);
      store_some(y + i, s, width - i);
    }
  }
}

// y[i] += that sum, computed first.
STEPGRAD_INLINE void add_column_sums(int64_t n, int64_t width, const float* x, int64_t row, float* y) {
  constexpr int64_t some = 512;
  for (; width > 0; width -= some, x += some, y += some) {
    float sums[some] = {};
    sum_columns(n, smaller(width, some), x, row, sums);
    zip(smaller(width, some), Run<1>{y, 1}, Run<1>{sums, 1}, y, Add{});
  }
}

// y[i] = Σ_j x[j, i] for any n, sum_rows rows at a time. Overwrites x.
STEPGRAD_INLINE void sum_up_columns(int64_t n, int64_t width, float* x, int64_t row, float* y) {
  for (; n > sum_rows; n = ceil_div(n, sum_rows)) {
    for (int64_t j = 0; j < n; j += sum_rows)
      sum_columns(smaller(sum_rows, n - j), width, x + j * row, row, x + j / sum_rows * row);
  }
  sum_columns(n, width, x, row, y);
}

void sum(int64_t outer, int64_t n, int64_t inner, const float* x, float* y) {
  const int64_t length = inner == 1 ? 4096 : sum_rows;  // block length
  const int64_t blocks = larger(1, ceil_div(n, length));
  const auto sum_block = [inner](int64_t rows, const float* from, float* to) {
    if (inner == 1) {
      *to = sum_run(rows, from);
    } else {
      sum_columns(rows, inner, from, inner, to);
    }
  };
  static thread_local Scratch scratch;
  float* partial = blocks == 1 ? y : scratch.floats(outer * blocks * inner);
  share(outer * blocks, outer * n * inner / 2, 1, [&](int64_t task, int64_t end) {
    for (; task < end; ++task) {
      const int64_t j = task % blocks * length;
      sum_block(smaller(length, n - j), x + (task / blocks * n + j) * inner, partial + task * inner);
    }
  });
  if (blocks == 1) return;
  share(outer, outer * blocks * inner, 1, [&](int64_t o, int64_t end) {
    for (; o < end; ++o) {
      float* from = partial + o * blocks * inner;
      if (inner == 1)
        y[o] = sum_run(blocks, from);
      else
        sum_up_columns(blocks, inner, from, inner, y + o * inner);
    }
  });
}

// A NaN wins: maximum returns its second operand if either is a NaN.
struct Larger {
  STEPGRAD_INLINE V operator()(const V& other, const V& most) const {
    return select(other == other, maximum(other, most), other);
  }
};

// max x[i], or -infinity if there is none. The last vector ends at the end of the run, and may
// overlap the previous one.
STEPGRAD_INLINE float max_run(int64_t n, const float* x) {
  V most[4] = {V(-__builtin_inff()), most[0], most[0], most[0]};
  for (int64_t i = 0; n < W && i < n; ++i) most[0] = Larger{}(V(x[i]), most[0]);
  for (int64_t i = 0; n >= W && i < n; i += 4 * W) {
    STEPGRAD_UNROLL
    for (int v = 0; v < 4; ++v) most[v] = Larger{}(load(x + smaller(i + v * W, n - W)), most[v]);
  }
  most[0] = Larger{}(Larger{}(most[0], most[1]), Larger{}(most[2], most[3]));
  return fold(most[0], Larger{});
}

void amax(int64_t outer, int64_t n, int64_t inner, const float* x, float* y) {
  share(outer, outer * n * inner, 1, [&](int64_t o, int64_t end) {
    for (; o < end; ++o) {
      const float* from = x + o * n * inner;
      float* to = y + o * inner;
      if (inner == 1) {
        to[0] = max_run(n, from);
        continue;
      }
      for (int64_t i = 0; i < inner; ++i) to[i] = from[i];
      for (int64_t j = 1; j < n; ++j) {
        zip(inner, Run<1>{from + j * inner, 1}, Run<1>{to, 1}, to, Larger{});
      }
    }
  });
}

}
}
