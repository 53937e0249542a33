#pragma once

#include "core/kernels/simd/hidden.hpp"

// Small weights leave few columns to share out among threads: there, a thread takes whole blocks of
// layer_block rows. Each block's gradients go to a place of their own, and then they are added in
// the order of the blocks, as a product adds the sums of its blocks of k.
namespace stepgrad::kernels {
namespace {

struct BlockGrads {
  const FeedForward& f;
  FeedForwardGrads g;  // of all rows
  float* at;           // null: not needed, as there is one block

  STEPGRAD_INLINE static int64_t count(const FeedForward& f) {
    return ceil_div(f.rows, layer_block);
  }
  STEPGRAD_INLINE static int64_t each(const FeedForward& f) {
    return 2 * f.d_model * f.d_ff + f.d_ff + f.d_model;
  }
  static int64_t size(const FeedForward& f) { return count(f) > 1 ? count(f) * each(f) : 0; }

  // Where block b's gradients go. Those of the biases are zeros.
  STEPGRAD_INLINE FeedForwardGrads of(int64_t b) const {
    if (count(f) == 1) return g;
    FeedForwardGrads block = g;
    float* next = at + b * each(f);
    const auto take = [&](float*& gradient, int64_t n) {
      if (gradient) gradient = next;
      next += n;
    };
    take(block.dw1, f.d_model * f.d_ff), take(block.dw2, f.d_model * f.d_ff);
    take(block.db1, f.d_ff), take(block.db2, f.d_model);
    for (int64_t i = 0; block.db1 && i < f.d_ff; ++i) block.db1[i] = 0.f;
    for (int64_t i = 0; block.db2 && i < f.d_model; ++i) block.db2[i] = 0.f;
    return block;
  }

  // The sums over all blocks, by a team whose blocks are done. Products round their results.
  template <class E>
  STEPGRAD_INLINE void add_up(const Team& team) const {
    if (count(f) == 1) return;
    const float* next = at;
    const auto sum = [&](float* to, int64_t n, bool product) {
      const Range mine = team.share(n, W);
      const float* from = next + mine.begin;
      next += n;
      if (to == nullptr) return;
      to += mine.begin;
      n = mine.end - mine.begin;
      for (int64_t i = 0; i < n; ++i) to[i] = from[i];
      for (int64_t b = 1; b < count(f); ++b) {
        from += each(f);
        zip(n, Run<1>{to, 1}, Run<1>{from, 1}, to, Add{});
      }
      if (product && E::group > 1) round_results<E>(1, n, to, n);
    };
    sum(g.dw1, f.d_model * f.d_ff, true), sum(g.dw2, f.d_model * f.d_ff, true);
    sum(g.db1, f.d_ff, false), sum(g.db2, f.d_model, false);
  }
};

}  // namespace
}  // namespace stepgrad::kernels
