#pragma once

#include "core/kernels/simd/matmul.hpp"

// Products of a block of rows, already packed, by a weight: the steps that the feed-forward layer
// is made of.
namespace stepgrad::kernels {
namespace {

// The right-hand panels of W [k, n], or of Wᵀ if W is [n, k]: all of them packed before, or, for a
// product of few rows, each packed where and when it is needed.
template <class E>
struct Weight {
  Matrix w;
  bool transposed;
  int64_t k, n;
  float* packed = nullptr;

  STEPGRAD_INLINE void pack_part(int64_t j, int64_t cols, int64_t p, int64_t steps,
                                 float* to) const {
    if (transposed) {
      pack_transposed<E>(w.from(j, p), steps, cols, to);
    } else {
      pack_down<E>(w.from(p, j), steps, cols, to);
    }
  }
  STEPGRAD_INLINE void pack_share(const Team& team) const {
    const Range mine = team.share(n, panel);
    pack_part(mine.begin, mine.end - mine.begin, 0, k, packed + mine.begin * E::slots(k));
  }

  // left·W for the panel of column j and the block of k from p on. `out` says the place, the
  // distance of rows, and what is added when the last block of k is.
  STEPGRAD_INLINE void multiply(int64_t rows, Rows left, int64_t j, int64_t p, float* own,
                                ToMatrix out) const {
    const int64_t steps = smaller(k_block, k - p);
    out.cols = static_cast<int>(smaller(panel, n - j));
    out.add = p > 0;
    if (p + steps < k) out.bias = nullptr;
    left.at += E::slots(p) * left.rows;
    const PackedRight right{packed ? packed + j * E::slots(k) + E::slots(p) * panel : own};
    if (E::group == 1 && !packed && !transposed && n - j >= panel) {  // the first tile packs
      const PackingRight first{w.from(p, j).at, w.row, own};
      return multiply_panel<E>(rows, steps, left, first, right, out);
    }
    if (!packed) pack_part(j, smaller(panel, n - j), p, steps, own);
    multiply_panel<E>(rows, E::slots(steps), left, right, right, out);
  }
};

// left·W for `rows` rows and a range of columns that begins with a panel. to(j) says where the
// panel of column j goes, finish(j) is called when it is complete. A block of k after the other, so
// that no more of left than that needs to stay in L2.
template <class E, class To, class Finish>
STEPGRAD_INLINE void multiply_block(int64_t rows, Rows left, const Weight<E>& weight, Range columns,
                                    float* own, const To& to, const Finish& finish) {
  for (int64_t p = 0; p < weight.k; p += k_block) {
    for (int64_t j = columns.begin; j < columns.end; j += panel) {
      weight.multiply(rows, left, j, p, own, to(j));
      if (p + k_block >= weight.k) finish(j);
    }
  }
}

// The same, panel by panel: they may all go to the same place, if finish takes them away.
template <class E, class To, class Finish>
STEPGRAD_INLINE void multiply_panels(int64_t rows, Rows left, const Weight<E>& weight,
                                     Range columns, float* own, const To& to,
                                     const Finish& finish) {
  for (int64_t j = columns.begin; j < columns.end; j += panel) {
    const ToMatrix out = to(j);
    for (int64_t p = 0; p < weight.k; p += k_block) weight.multiply(rows, left, j, p, own, out);
    finish(j);
  }
}

// The floating-point operations of a pass over the layer; part of a vector takes as long as all.
STEPGRAD_INLINE double layer_work(const FeedForward& f) {
  const double weights = static_cast<double>(larger(W, f.d_model) * larger(W, f.d_ff));
  return 4. * static_cast<double>(f.rows) * weights;
}

}  // namespace
}  // namespace stepgrad::kernels
