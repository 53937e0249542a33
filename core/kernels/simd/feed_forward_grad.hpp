#pragma once

#include "core/kernels/simd/narrow_grad.hpp"
#include "core/kernels/simd/reduce.hpp"
#include "core/kernels/simd/weight_grads.hpp"

// The other direction of feed_forward.hpp:
//
//   dZ = dY·W₂ᵀ∘M where Z >= 0, else 0
//   dX = dZ·W₁ᵀ    dW₁ = Xᵀ·dZ    db₁ = Σ_r dZ[r]    dW₂ = Hᵀ·dY    db₂ = Σ_r dY[r]
namespace stepgrad::kernels {
namespace {

template <class E>
struct FeedForwardGradPass {
  FeedForward f;
  float* saved;
  const float* dy;
  FeedForwardGrads g;
  bool apart = false;  // g has the gradients of one block of rows, and not of all
  RightMatrix<E> w2t{{f.w2, f.d_model}, true, f.d_model, f.d_ff};
  RightMatrix<E> w1t{{f.w1, f.d_ff}, true, f.d_ff, f.d_model};
  // Panels of one block. Where slots go along or down makes no difference, two of them are one.
  float *x_down = nullptr, *dy_down = nullptr, *dy_along = nullptr;
  float *dz_down = nullptr, *dz_along = nullptr;

  // dz = dh∘M where the clamp let it pass, for `rows` rows of one panel; db₁ += Σ_r dz[r] unless it
  // is null. Columns that do not exist become zeros.
  STEPGRAD_INLINE void gate(float* dh, const Kept<E>& kept, int64_t r0, int64_t rows, int64_t j,
                            float* db1) const {
    if (one_vector<E>(f.d_ff - j)) return gate_panel<1>(dh, kept, r0, rows, j, db1);
    gate_panel<tile_vectors>(dh, kept, r0, rows, j, db1);
  }

  template <int vectors>
  STEPGRAD_INLINE void gate_panel(float* dh, const Kept<E>& kept, int64_t r0, int64_t rows,
                                  int64_t j, float* db1) const {
    V sum[vectors];
    STEPGRAD_UNROLL
    for (int v = 0; v < vectors; ++v) sum[v] = V(0.f);
    const V scale(1.f / f.keep);
    const int64_t cols = smaller(panel, f.d_ff - j);
    for (int64_t r = 0; r < rows; ++r) {
      float* to = dh + r * panel;
      const uint32_t open = *kept.gate(j, r0 + r);
      STEPGRAD_UNROLL
      for (int v = 0; v < vectors; ++v) {
        const V dh_v = E::result(load_some(to + v * W, cols - v * W));
        const V dz = gated(dh_v, open >> v * W, scale);
        store(to + v * W, dz);
        sum[v] = sum[v] + dz;
      }
    }
    if (db1) add_sums(sum, cols, db1 + j);
  }

  // Panels of the block's dy and x, unless they are read as they lie, a share of the columns by
  // each thread.
  STEPGRAD_INLINE void pack_inputs(const Team& team, int64_t first, int64_t rows) const {
    const Range mine = team.share(f.d_model, panel);
    const int64_t from = first * f.d_model + mine.begin, cols = mine.end - mine.begin;
    const int64_t at = mine.begin * E::slots(rows);
    if (!few_hidden<E>(f)) {
      if (!of_few_rows()) pack_columns<E>({f.x + from, f.d_model}, rows, cols, x_down + at);
      pack_down<E>({dy + from, f.d_model}, rows, cols, dy_down + at);
    }
    const auto sum = first > 0 && !apart ? add_column_sums : sum_columns;
    if (g.db2) sum(rows, cols, dy + from, f.d_model, g.db2 + mine.begin);
    if (one_layout<E>) return;
    const Range some = team.share(rows);
    for (int64_t c = 0; c < f.d_model; c += panel * E::fold) {
      pack_along<E>({dy + (first + some.begin) * f.d_model + c, f.d_model}, some.end - some.begin,
                    smaller(panel * E::fold, f.d_model - c),
                    dy_along + c / E::fold * rows + some.begin * panel);
    }
  }

  STEPGRAD_INLINE bool of_few_rows() const { return WeightGrads<E>::of_few_rows(f); }

  // What a thread makes of a block's gradients. It keeps to its own hidden columns, so that what it
  // needs of dZ it has made itself; only dX and outer products need all of them. With fewer panels
  // of hidden columns than threads, rows of dZ are shared out if they are more tiles, and columns
  // of X and dY for the weights' gradients if they are more panels.
  struct Part {
    bool by_rows, by_columns;
    Range rows, hidden;          // of dZ
    Range columns, grad_hidden;  // of the weights' gradients
  };

  STEPGRAD_INLINE Part part(const Team& team, int64_t rows) const {
    const int64_t panels = count_panels(f.d_ff), tiles = ceil_div(rows, tile_rows);
    const bool few_panels = one_layout<E> && panels < team.size;
    const bool by_rows = few_panels && tiles > panels;
    const bool by_columns = few_panels && count_panels(f.d_model) > panels;
    const Range mine = team.share(tiles), hidden = team.share(f.d_ff, panel), all{0, f.d_ff};
    return {by_rows,
            by_columns,
            by_rows ? Range{rows * mine.begin / tiles, rows * mine.end / tiles} : Range{0, rows},
            by_rows ? all : hidden,
            by_columns ? team.share(f.d_model, panel) : Range{0, f.d_model},
            by_columns ? all : hidden};
  }

  void block(const Team& team, int64_t first, int64_t rows, float* own) const {
    const Kept<E> kept = saved_block<E>(saved, f.rows, f.d_ff, first, rows);
    const Part mine = part(team, rows);
    alignas(64) float buffer[one_layout<E> ? 1 : row_block * panel];
    const auto down = [&](int64_t j, int64_t r0) {
      return dz_down + j * E::slots(rows) + E::slots(r0) * panel;
    };
    const auto dz = [&](int64_t j, int64_t r0) { return one_layout<E> ? down(j, r0) : buffer; };
    if (first > 0) team.wait();  // others may still read the block's before
    pack_inputs(team, first, rows);
    team.wait();  // for these, and for the weights
    for (int64_t r0 = mine.rows.begin; r0 < mine.rows.end; r0 += row_block) {
      const int64_t some = smaller(row_block, mine.rows.end - r0);
      const auto to = [&](int64_t j) { return ToMatrix{dz(j, r0), panel}; };
      const auto finish = [&](int64_t j) {
        gate(dz(j, r0), kept, r0, some, j, mine.by_rows ? nullptr : g.db1);
        if (one_layout<E>) return;
        pack_down<E>({buffer, panel}, some, panel, down(j, r0));
        if (g.dx) Left<E>{dz_along + r0 * panel, rows}.put(buffer, some, j);
      };
      if (!few_hidden<E>(f)) {
        multiply_panels(some, Rows{dy_along + r0 * panel, rows}, w2t, mine.hidden, own, to, finish);
      } else {
        const PlainRows from{{dy + (first + r0) * f.d_model, f.d_model}, rows};
        multiply_panels(some, from, w2t, mine.hidden, own, to, finish);
      }
    }
    if (mine.by_rows || mine.by_columns || of_few_rows()) team.wait();
    if (mine.by_rows) add_hidden_bias_grad(team.share(f.d_ff, panel), rows);
    WeightGrads<E>{f, dy, g.dw1, g.dw2, apart, first, rows, x_down, dy_down, dz_down, kept.h}.add(
        team, mine.columns, mine.grad_hidden);
    if (g.dx) team.wait(), input_grad(team, first, rows, own);
  }

  // db₁ += Σ_r dz[r], as the gates sum it.
  STEPGRAD_INLINE void add_hidden_bias_grad(Range columns, int64_t rows) const {
    for (int64_t j = columns.begin; g.db1 && j < columns.end; j += panel) {
      for (int64_t r0 = 0; r0 < rows; r0 += row_block) {
        add_column_sums(smaller(row_block, rows - r0), smaller(panel, f.d_ff - j),
                        dz_down + j * rows + r0 * panel, panel, g.db1 + j);
      }
    }
  }

  // dX = dZ·W₁ᵀ for a block: its rows are shared out, or its columns if there are few rows.
  STEPGRAD_INLINE void input_grad(const Team& team, int64_t first, int64_t rows, float* own) const {
    const bool by_columns = rows <= few_rows;
    const Range columns = by_columns ? team.share(f.d_model, panel) : Range{0, f.d_model};
    const auto [begin, end] = by_columns ? Range{0, rows} : team.share(rows);
    for (int64_t r0 = begin; r0 < end; r0 += row_block) {
      float* to = g.dx + (first + r0) * f.d_model;
      const int64_t some = smaller(row_block, end - r0);
      multiply_block(
          some, Rows{dz_along + r0 * panel, rows}, w1t, columns, own,
          [&](int64_t j) {
            return ToMatrix{to + j, f.d_model};
          },
          [&](int64_t j) {
            if (E::group == 1) return;
            round_results<E>(some, smaller(panel, f.d_model - j), to + j, f.d_model);
          });
    }
  }

  // What all threads share, cut from one piece of memory; its size if there is none yet.
  int64_t lay_out(float* shared) {
    float* at = shared;
    const auto take = [&](int64_t size) {
      at += size;
      return at - size;
    };
    const int64_t rows = smaller(block_rows<E>(f), f.rows);
    const int64_t cols = few_hidden<E>(f) ? 0 : f.d_model;  // as they lie
    x_down = take(down_size<E>(rows, cols));
    dy_down = take(down_size<E>(rows, cols));
    dy_along = one_layout<E> ? dy_down : take(along_size<E>(rows, f.d_model));
    dz_down = take(down_size<E>(rows, f.d_ff));
    dz_along = one_layout<E> || !g.dx ? dz_down : take(along_size<E>(rows, f.d_ff));
    if (f.rows > few_rows || by_blocks()) {
      w2t.packed = take(w2t.size());
      if (g.dx) w1t.packed = take(w1t.size());
    }
    return at - shared;
  }

  // Whether each block's gradients are made apart, so that threads may take whole blocks. Their
  // places are bounded, or together hardly larger than x.
  bool by_blocks() const {
    const bool small = f.d_model * f.d_ff <= 1 << 13 && f.d_model + f.d_ff <= 1 << 10;
    return (f.rows > layer_block && small) || whole_blocks<E>(f);
  }

  void run_by_blocks(const Team& team, float* shared) {
    static thread_local Scratch scratch;
    const int64_t size = block_rows<E>(f);
    const bool together = work_together(f, size, team.size);
    const Team packing = together ? team : Team{0, 1};
    lay_out(together ? shared + BlockGrads::size(f, size) : scratch.floats(lay_out(saved)));
    w2t.pack_share(packing);
    if (w1t.packed) w1t.pack_share(packing);
    const auto work = [&](const Team& workers, int64_t first, int64_t rows,
                          const FeedForwardGrads& grads) {
      FeedForwardGradPass pass(*this);
      pass.apart = true;
      pass.g = grads;
      pass.block(workers, first, rows, nullptr);
    };
    BlockGrads{f, g, shared, size}.for_blocks<E>(team, work);
  }

  void run(const Team& team, float* shared) {
    [[maybe_unused]] const typename E::Setup setup;
    if (by_blocks()) return run_by_blocks(team, shared);
    static thread_local Scratch scratch;
    float* own = scratch.floats(down_size<E>(k_block, panel));
    lay_out(shared);
    if (w2t.packed) w2t.pack_share(team);
    if (w1t.packed) w1t.pack_share(team);
    for (int64_t first = 0; first < f.rows; first += layer_block) {
      block(team, first, smaller(layer_block, f.rows - first), own);
    }
  }

  double work() const { return layer_work<E>(f); }
  int64_t shared_size() const {
    const int64_t panels = FeedForwardGradPass(*this).lay_out(saved);
    return by_blocks() ? BlockGrads::size(f, block_rows<E>(f)) + panels : panels;
  }
};

template <class E>
void feed_forward_grad(const FeedForward& f, const float* saved, const float* dy,
                       const FeedForwardGrads& g) {
  if (g.db1) fill(f.d_ff, 0.f, g.db1);
  if (g.db2) fill(f.d_model, 0.f, g.db2);
  float* kept = const_cast<float*>(saved);
  if (is_narrow<E>(f)) return run_pass(NarrowGrad{{f, kept}, dy, g});
  if (f.rows > 0) return run_pass(FeedForwardGradPass<E>{f, kept, dy, g});
  if (g.dw1) fill(f.d_model * f.d_ff, 0.f, g.dw1);
  if (g.dw2) fill(f.d_model * f.d_ff, 0.f, g.dw2);
}

}  // namespace
}  // namespace stepgrad::kernels
