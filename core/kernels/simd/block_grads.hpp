#pragma once

#include "core/kernels/simd/copy.hpp"
#include "core/kernels/simd/hidden.hpp"

// Small weights leave few columns to share out among threads: there, a thread takes whole blocks of
// layer_block rows. Each block's gradients go to a place of their own, and then they are added in
// the order of the blocks, as a product adds the sums of its blocks of k.
namespace stepgrad::kernels {
namespace {

struct BlockGrads {
  static constexpr int64_t at_once = 64;  // blocks that have a place
  const FeedForward& f;
  FeedForwardGrads g;  // of all rows
  float* places;       // size(f) floats

  STEPGRAD_INLINE static int64_t count(const FeedForward& f) {
    return ceil_div(f.rows, layer_block);
  }
  STEPGRAD_INLINE static int64_t place_size(const FeedForward& f) {
    return 2 * f.d_model * f.d_ff + f.d_ff + f.d_model;
  }
  static int64_t size(const FeedForward& f) { return smaller(count(f), at_once) * place_size(f); }

  // Calls work(first row, rows, where their gradients go) for each block, by one thread of the
  // team, and adds up. Work adds to the bias gradients, and overwrites the others.
  template <class E, class Work>
  STEPGRAD_INLINE void for_blocks(const Team& team, const Work& work) const {
    for (int64_t b = 0; b < count(f); b += at_once) {
      const int64_t blocks = smaller(at_once, count(f) - b);
      const Range mine = team.share(blocks);
      for (int64_t i = mine.begin; i < mine.end; ++i) {
        const int64_t first = (b + i) * layer_block;
        work(first, smaller(layer_block, f.rows - first), place(i));
      }
      team.wait();
      add_up<E>(team, b > 0, blocks, b + blocks == count(f));
      team.wait();
    }
  }

  STEPGRAD_INLINE FeedForwardGrads place(int64_t i) const {
    FeedForwardGrads block = g;
    float* next = places + i * place_size(f);
    const auto take = [&](float*& gradient, int64_t n) {
      if (gradient) gradient = next;
      next += n;
    };
    take(block.dw1, f.d_model * f.d_ff), take(block.dw2, f.d_model * f.d_ff);
    take(block.db1, f.d_ff), take(block.db2, f.d_model);
    for (int64_t c = 0; block.db1 && c < f.d_ff; ++c) block.db1[c] = 0.f;
    for (int64_t c = 0; block.db2 && c < f.d_model; ++c) block.db2[c] = 0.f;
    return block;
  }

  // g = the sums of so many blocks, or g += them. At last products round their results.
  template <class E>
  STEPGRAD_INLINE void add_up(const Team& team, bool add, int64_t blocks, bool last) const {
    const float* next = places;
    const auto sum = [&](float* to, int64_t n, bool product) {
      const Range mine = team.share(n, W);
      const float* from = next + mine.begin;
      next += n;
      if (to == nullptr) return;
      to += mine.begin;
      n = mine.end - mine.begin;
      for (int64_t i = 0; i < blocks; ++i, from += place_size(f)) {
        if (i == 0 && !add) {
          copy_run(n, from, 1, to);
        } else {
          zip(n, Run<1>{to, 1}, Run<1>{from, 1}, to, Add{});
        }
      }
      if (product && last && E::group > 1) round_results<E>(1, n, to, n);
    };
    sum(g.dw1, f.d_model * f.d_ff, true), sum(g.dw2, f.d_model * f.d_ff, true);
    sum(g.db1, f.d_ff, false), sum(g.db2, f.d_model, false);
  }
};

}  // namespace
}  // namespace stepgrad::kernels
