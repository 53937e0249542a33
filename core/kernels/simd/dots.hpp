#pragma once

#include "core/kernels/simd/tile.hpp"

// A·B where k is long and B has few columns: each element is a dot product, vectors lie along k,
// and their lanes are summed at the end. A step of a tile loads rows + cols vectors for rows·cols
// multiply-adds without an empty lane. A is read as it lies, and B as Bᵀ.
//
// Lane l sums the steps l, l + W, l + 2W, .. in a chain of multiply-adds, and the lanes are added
// in an order of their own: whether an element is made so may depend on the width and k of a
// product, and never on its rows.
//
// The time of the fused step over that before, on one Zen 4 core (rows, d_model, d_ff): 40, 1500,
// 4: 0.77; 40, 4096, 2: 0.50; 300, 1500, 2: 0.69; 1, 4096, 1: 0.24; 1, 2000, 7: 0.58.
namespace stepgrad::kernels {
namespace {

constexpr int most_dot_columns = 16;

// From which k on. Dots of a layer's few hidden columns are faster with less already, but then its
// few columns of Y are dots, too, which keeps it from narrow.hpp: with 64 steps 387 rows, 72, 1
// take 0.81 of the time of 128, and 387, 2, 72 1.09; with three columns the loss outweighs the
// gain.
constexpr int64_t long_k = 128, long_k_of_two = 64;
static_assert(panel <= long_k_of_two, "a narrow layer's X·W₁ is no dots");

template <class E>
STEPGRAD_INLINE bool as_dots(int64_t n, int64_t k) {
  return E::group == 1 && n <= most_dot_columns && k >= (n <= 2 ? long_k_of_two : long_k);
}

constexpr int most_dot_rows = 8;  // of a tile

// Of each four lanes of a and b: a₀ + a₂, b₀ + b₂, a₁ + a₃, b₁ + b₃.
template <class T>
STEPGRAD_INLINE T add_pairs(const T& a, const T& b) {
  constexpr std::make_index_sequence<W> lanes;
  return interleave<0, 1>(a, b, lanes) + interleave<2, 1>(a, b, lanes);
}

// to[j] = Σ of the lanes of x(j) for j < 4: in each four lanes the even and the odd ones, then
// those two, and then the fours one after the other.
template <class X>
STEPGRAD_INLINE void add_lanes(const X& x, float* to) {
  using T = typename Lanes<W>::Type;
  const auto lanes = [&](int j) { return same_bits<T>(x(j)); };
  const T sums = add_pairs(add_pairs(lanes(0), lanes(2)), add_pairs(lanes(1), lanes(3)));
  alignas(64) float fours[W / 4][4];
  memcpy(fours, &sums, sizeof fours);
  typename Lanes<4>::Type sum, four;
  memcpy(&sum, fours[0], sizeof sum);
  for (int i = 1; i < W / 4; ++i) {
    memcpy(&four, fours[i], sizeof four);
    sum += four;
  }
  memcpy(to, &sum, sizeof sum);
}

// sums[i][j] = Σ_k A[i, k]·Bᵀ[j, k]; the rows of sums lie `row` apart.
template <int rows, int cols>
__attribute__((noinline)) void run_dots(int64_t k, PlacedRows a, PlacedRows b, float* sums,
                                        int64_t row) {
  V acc[rows][cols];
  clear(acc);
  const auto add = [&](int64_t p, int64_t lanes) __attribute__((always_inline)) {
    V right[cols];
    STEPGRAD_UNROLL
    for (int j = 0; j < cols; ++j) right[j] = load_some(b.at + j * b.row + p, lanes);
    STEPGRAD_UNROLL
    for (int i = 0; i < rows; ++i) {
      const V left = load_some(a.at + i * a.row + p, lanes);
      STEPGRAD_UNROLL
      for (int j = 0; j < cols; ++j) acc[i][j] = mul_add(left, right[j], acc[i][j]);
    }
  };
  for (; k >= panel; k -= panel, a.at += a.jump, b.at += b.jump) {
    STEPGRAD_UNROLL
    for (int p = 0; p < panel; p += W) add(p, W);
  }
  for (int64_t p = 0; p < k; p += W) add(p, k - p);
  constexpr int size = rows * cols;
  float flat[size + 3];
  STEPGRAD_UNROLL
  for (int s = 0; s < size; s += 4) {
    const auto sum = [&](int j) {
      const int existing = s + j < size ? s + j : size - 1;
      return acc[existing / cols][existing % cols];
    };
    add_lanes(sum, flat + s);
  }
  STEPGRAD_UNROLL
  for (int s = 0; s < size; ++s) sums[s / cols * row + s % cols] = flat[s];
}

template <int cols, int rows = smaller(most_dot_rows, tile_rows* tile_vectors / cols)>
STEPGRAD_INLINE void run_dots_of(int64_t height, int64_t width, int64_t k, const PlacedRows& a,
                                 const PlacedRows& b, float* sums, int64_t row) {
  if constexpr (cols > 1) {
    if (width < cols) return run_dots_of<cols - 1>(height, width, k, a, b, sums, row);
  }
  if constexpr (rows > 1) {
    if (height < rows) return run_dots_of<cols, rows - 1>(height, width, k, a, b, sums, row);
  }
  run_dots<rows, cols>(k, a, b, sums, row);
}

// A·B for out.cols <= most_dot_columns. Columns, and then rows, are dealt evenly to the tiles. They
// write to `out` themselves unless there is something to add.
template <class Out>
STEPGRAD_INLINE void multiply_dots(int64_t rows, int64_t k, const PlacedRows& a,
                                   const PlacedRows& b, const Out& out) {
  const int64_t groups = ceil_div(out.cols, 4), widest = ceil_div(out.cols, groups);
  const int64_t tiles = ceil_div(rows, smaller(most_dot_rows, tile_rows * tile_vectors / widest));
  const bool replaces = !out.add && !out.bias;
  for (int64_t t = 0; t < tiles; ++t) {
    alignas(64) float sums[most_dot_rows * most_dot_columns];
    const int64_t i = rows * t / tiles, height = rows * (t + 1) / tiles - i;
    float* to = replaces ? out.y + i * out.row : sums;
    const int64_t row = replaces ? out.row : most_dot_columns;
    for (int64_t group = 0; group < groups; ++group) {
      const int64_t j = out.cols * group / groups, next = out.cols * (group + 1) / groups;
      run_dots_of<4>(height, next - j, k, a.below(i), b.below(j), to + j, row);
    }
    if (!replaces) put_rows<most_dot_columns / W>(height, sums, most_dot_columns, out.below(i));
  }
}

// A row of A·B by the same additions, where turning B would take longer than using it once:
// sums[j] = Σ_p a[p]·b[p, j] for j < cols <= vectors·W. What lane l of a dot product sums is in
// acc[l] here, side by side for all columns.
template <int vectors>
__attribute__((noinline)) void run_row(int64_t k, PlacedRows a, Matrix b, int64_t cols,
                                       float* sums) {
  V acc[W][vectors];
  clear(acc);
  const auto add = [&](int l, int64_t p) __attribute__((always_inline)) {
    const V left(a.at[p]);
    STEPGRAD_UNROLL
    for (int v = 0; v < vectors; ++v) {
      acc[l][v] = mul_add(left, load_some(b.at + v * W, cols - v * W), acc[l][v]);
    }
    b = b.from(1, 0);
  };
  const auto add_zero = [&](int l) {  // as to a dot product's empty lane: -0 becomes 0
    for (int v = 0; v < vectors; ++v) acc[l][v] = acc[l][v] + V(0.f);
  };
  for (; k > 0; k -= panel, a.at += a.jump) {
    const int64_t end = smaller(k, panel);
    int64_t p = 0;
    for (; p + W <= end; p += W) {
      STEPGRAD_UNROLL
      for (int l = 0; l < W; ++l) add(l, p + l);
    }
    STEPGRAD_UNROLL
    for (int l = 0; p < end && l < W; ++l) {
      if (p + l < end)
        add(l, p + l);
      else
        add_zero(l);
    }
  }
  STEPGRAD_UNROLL
  for (int v = 0; v < vectors; ++v) {
    V sum(0.f);
    STEPGRAD_UNROLL
    for (int l = 0; l < W; l += 4) {
      const V four = (acc[l][v] + acc[l + 2][v]) + (acc[l + 1][v] + acc[l + 3][v]);
      sum = l == 0 ? four : sum + four;
    }
    store(sums + v * W, sum);
  }
}

// Up to so many rows, of cols columns, turning B takes longer than it saves. What is turned whole
// takes cols - 1 shuffles for each vector, and each row of the others a multiply-add for each step.
constexpr int64_t most_unturned_rows = 4;
STEPGRAD_INLINE int64_t unturned_rows(int64_t cols) {
  return cols <= most_turned_whole ? smaller(cols - 2, most_unturned_rows) : most_unturned_rows;
}

// A·B for rows <= unturned_rows(out.cols).
template <class Out>
STEPGRAD_INLINE void multiply_dot_rows(int64_t rows, int64_t k, const PlacedRows& a,
                                       const Matrix& b, const Out& out) {
  alignas(64) float sums[most_unturned_rows * most_dot_columns];
  for (int64_t i = 0; i < rows; ++i) {
    if (out.cols <= W)
      run_row<1>(k, a.below(i), b, out.cols, sums + i * most_dot_columns);
    else
      run_row<most_dot_columns / W>(k, a.below(i), b, out.cols, sums + i * most_dot_columns);
  }
  put_rows<most_dot_columns / W>(rows, sums, most_dot_columns, out);
}

constexpr int dots_strip = 16;
static_assert(most_dot_columns <= panel && most_dot_columns % W == 0 && dots_strip % W == 0);

// to[c][p] = b[p, c] for p < k, where b has `cols` columns in all, and what has no meaning up to a
// multiple of W; the rows of `to` lie `row` apart.
template <int cols>
STEPGRAD_INLINE void turn_whole(const float* b, int64_t k, float* to, int64_t row) {
  using T = typename Lanes<W>::Type;
  for (; k > 0; k -= W, b += cols * W, to += W) {
    T x[cols], y[cols];
    for (int c = 0; c < cols; ++c) x[c] = same_bits<T>(load_some(b + c * W, k * cols - c * W));
    transpose_whole<W, cols>(x, y);
    for (int c = 0; c < cols; ++c) store(to + c * row, same_bits<V>(y[c]));
  }
}

// The same, and what has no meaning up to dots_strip and to multiples of 4 of the columns.
__attribute__((noinline)) void turn_columns(Matrix b, int64_t k, int64_t cols, float* to,
                                            int64_t row) {
  const auto turn = [&]<int n>(std::integral_constant<int, n>) { turn_whole<n>(b.at, k, to, row); };
  if (try_whole(cols, turn)) return;
  const int64_t width = ceil_div(cols, 4) * 4;
  for (; k > 0; k -= dots_strip, b = b.from(dots_strip, 0), to += dots_strip) {
    if (k > dots_strip) {  // the last row reads into the next one
      transpose_vectors(dots_strip, width, b.at, b.row, to, row);
      continue;
    }
    alignas(64) float strip[dots_strip * most_dot_columns] = {};
    copy_narrow(b, k, cols, static_cast<int>(ceil_div(cols, W)), strip, most_dot_columns);
    transpose_vectors(dots_strip, width, strip, most_dot_columns, to, row);
  }
}

}  // namespace
}  // namespace stepgrad::kernels
