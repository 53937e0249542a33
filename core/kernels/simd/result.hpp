#pragma once

#include "core/kernels/simd/panels.hpp"

namespace stepgrad::kernels {
namespace {

// Where a finished tile goes: y, rows `row` apart, of which `cols` columns exist; added to what is
// there, or instead of it; then, unless null, the bias is added to each row. Only what takes the
// place of something may go past the caches, and then whole vectors. The tile that starts at row i
// goes to below(i), one that starts at column j to right(j).
struct ToMatrix {
  float* y;
  int64_t row;
  int cols = panel;
  bool add = false, streams = false;
  const float* bias = nullptr;

  STEPGRAD_INLINE ToMatrix below(int64_t i) const {
    return {y + i * row, row, cols, add, streams, bias};
  }

  STEPGRAD_INLINE ToMatrix right(int64_t j) const {
    return {y + j, row, cols, add, streams, bias ? bias + j : nullptr};
  }

  template <int vectors>
  STEPGRAD_INLINE void ask_for(int64_t i) const {
    if (streams) return;
    for (int j = 0; j < vectors * W; j += 16) __builtin_prefetch(y + i * row + j, 1);
  }

  template <int rows, int vectors>
  STEPGRAD_INLINE void put(const V (&acc)[rows][vectors]) const {
    if (cols >= vectors * W) {
      STEPGRAD_UNROLL
      for (int i = 0; i < rows; ++i) {
        STEPGRAD_UNROLL
        for (int v = 0; v < vectors; ++v) {
          float* to = y + i * row + v * W;
          if (streams)
            stream(to, acc[i][v]);
          else if (bias)
            store(to, (add ? load(to) + acc[i][v] : acc[i][v]) + load(bias + v * W));
          else
            store(to, add ? load(to) + acc[i][v] : acc[i][v]);
        }
      }
    } else {
      STEPGRAD_UNROLL
      for (int i = 0; i < rows; ++i) {
        STEPGRAD_UNROLL
        for (int v = 0; v < vectors; ++v) put_some(acc[i][v], i, v, cols - v * W);
      }
    }
  }

  STEPGRAD_INLINE void put_some(const V& value, int i, int v, int lanes) const {
    float* to = y + i * row + v * W;
    if (lanes <= 0) return;
    const V sum = add ? load_some(to, lanes) + value : value;
    store_some(to, bias ? sum + load_some(bias + v * W, lanes) : sum, lanes);
  }
};

// Whether the gradient of a weight, a matrix of so many floats and of n columns, which is a sum
// over so many rows of x, goes past the caches if it is written just once: from 4 MiB on L2 is full
// of it, and its lines would come from L3 or from memory only to be overwritten. Who reads it,
// mostly, is an optimizer after all other gradients. A step of up to four rows only waits, for
// memory or, which is sooner over, for L3, as long as both weights and their gradients stay there:
// of 32 MiB, with 4 MiB each it takes 0.7 to 0.9 of the time, with 5 about as long, with 6 1.1
// to 1.6 times.
STEPGRAD_INLINE bool streams_weight_grad(const float* dw, int64_t rows, int64_t size, int64_t n) {
  constexpr int64_t mib = 1 << 18;  // floats
  const auto aligned = [](auto address) { return address % 64 == 0; };
  return size >= (rows > 4 ? 4 : 5) * mib && aligned(n * 4) &&
         aligned(reinterpret_cast<uintptr_t>(dw));
}

// Puts rows of sums, which lie `distance` floats apart and fill up to so many vectors. Where rows
// of few columns follow each other without a gap, each is stored with what stands behind it, which
// the next one overwrites.
template <int vectors>
STEPGRAD_INLINE void put_rows(int64_t rows, const float* sums, int distance, const ToMatrix& out) {
  int64_t i = 0;
  const auto store_whole = [&]<int lanes>(std::integral_constant<int, lanes>) {
    for (; i * out.cols + lanes <= rows * out.cols; ++i, sums += distance) {
      memcpy(out.y + i * out.cols, sums, lanes * sizeof(float));
    }
  };
  if (out.row == out.cols && !out.add && !out.bias && !out.streams) {
    if (out.cols <= 4)
      store_whole(std::integral_constant<int, 4>{});
    else if (out.cols <= W)
      store_whole(std::integral_constant<int, W>{});
  }
  for (; i < rows; ++i, sums += distance) {
    V row[1][vectors];
    STEPGRAD_UNROLL
    for (int v = 0; v < vectors; ++v) row[0][v] = load_some(sums + v * W, out.cols - v * W);
    out.below(i).put(row);
  }
}

// The transpose of sums [cols, rows], whose rows lie `wide` floats apart, for out.cols == cols,
// no bias, and rows of `out` that follow each other without a gap.
template <int cols>
STEPGRAD_INLINE void put_turned(int64_t rows, const float* sums, ToMatrix out) {
  using T = typename Lanes<W>::Type;
  for (int64_t i = 0; i < rows; i += W, sums += W, out.y += cols * W) {
    T x[cols], y[cols];
    for (int c = 0; c < cols; ++c) x[c] = same_bits<T>(load(sums + c * wide));
    transpose_whole<cols, W>(x, y);
    for (int c = 0; c < cols; ++c) {
      out.put_some(same_bits<V>(y[c]), 0, c, static_cast<int>((rows - i) * cols) - c * W);
    }
  }
}

}  // namespace
}  // namespace stepgrad::kernels
