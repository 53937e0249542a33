#pragma once

#include "core/kernels/simd/elementwise.hpp"
#include "core/kernels/simd/hidden.hpp"

// Small weights, or few hidden columns, leave little to share out among threads but rows: there, a
// thread takes whole blocks of them. Each block's gradients but the first's go to a place of their
// own, and then they are added in the order of the blocks, as a product adds the sums of its blocks
// of k.
namespace stepgrad::kernels {
namespace {

struct BlockGrads {
  static constexpr int64_t at_once = 64;  // blocks that have a place
  const FeedForward& f;
  FeedForwardGrads g;  // of all rows
  float* places;       // size(f, block) floats
  int64_t block;       // rows

  // Whole cache lines, so that no two threads write to one.
  STEPGRAD_INLINE static int64_t place_size(const FeedForward& f) {
    constexpr int64_t line = 16;
    return ceil_div(2 * f.d_model * f.d_ff + f.d_ff + f.d_model, line) * line;
  }
  static int64_t size(const FeedForward& f, int64_t block) {
    return smaller(ceil_div(f.rows, block), at_once) * place_size(f);
  }

  // Calls work(team, first row, rows, where their gradients go) for each block and adds up. Work
  // adds to the bias gradients, and overwrites the others.
  template <class E, class Work>
  STEPGRAD_INLINE void for_blocks(const Team& team, const Work& work) const {
    const bool all = work_together(f, block, team.size);
    const int64_t count = ceil_div(f.rows, block);
    for (int64_t b = 0; b < count; b += at_once) {
      const int64_t blocks = smaller(at_once, count - b);
      const Range mine = team.share(blocks);
      if (b > 0) team.wait();  // others may still read the places
      for (int64_t i = mine.begin; i < mine.end; ++i) clear_bias_grads(place(b + i));
      if (all) team.wait();
      const auto [begin, end] = all ? Range{0, blocks} : mine;
      for (int64_t i = begin; i < end; ++i) {
        const int64_t first = (b + i) * block;
        work(all ? team : Team{0, 1}, first, smaller(block, f.rows - first), place(b + i));
      }
      team.wait();
      add_up<E>(team, b == 0, blocks, b + blocks == count);
    }
  }

  STEPGRAD_INLINE void clear_bias_grads(const FeedForwardGrads& grads) const {
    for (int64_t c = 0; grads.db1 && c < f.d_ff; ++c) grads.db1[c] = 0.f;
    for (int64_t c = 0; grads.db2 && c < f.d_model; ++c) grads.db2[c] = 0.f;
  }

  // Where the gradients of block i go: those of the first, where all are added up.
  STEPGRAD_INLINE FeedForwardGrads place(int64_t i) const {
    if (i == 0) return g;
    FeedForwardGrads grads = g;
    float* next = places + i % at_once * place_size(f);
    const auto take = [&](float*& gradient, int64_t n) {
      if (gradient) gradient = next;
      next += n;
    };
    take(grads.dw1, f.d_model * f.d_ff), take(grads.dw2, f.d_model * f.d_ff);
    take(grads.db1, f.d_ff), take(grads.db2, f.d_model);
    return grads;
  }

  // g += the gradients of so many blocks, of which the first may be there already. After the last
  // one, products are rounded.
  template <class E>
  STEPGRAD_INLINE void add_up(const Team& team, bool has_first, int64_t blocks, bool last) const {
    const float* next = places;
    const auto sum = [&](float* to, int64_t n, bool rounds) {
      const Range mine = team.share(n, W);
      const float* from = next + mine.begin;
      next += n;
      if (to == nullptr) return;
      to += mine.begin;
      n = mine.end - mine.begin;
      for (int64_t i = has_first ? 1 : 0; i < blocks; ++i) {
        zip(n, Run<1>{to, 1}, Run<1>{from + i * place_size(f), 1}, to, Add{});
      }
      if (rounds && E::group > 1) round_results<E>(1, n, to, n);
    };
    {
      [[maybe_unused]] const typename E::Scope scope;
      sum(g.dw1, f.d_model * f.d_ff, last), sum(g.dw2, f.d_model * f.d_ff, last);
    }
    sum(g.db1, f.d_ff, false), sum(g.db2, f.d_model, false);
  }
};

}  // namespace
}  // namespace stepgrad::kernels
