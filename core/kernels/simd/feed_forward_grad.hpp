#pragma once

#include "core/kernels/simd/hidden.hpp"
#include "core/kernels/simd/weight.hpp"

// The other direction of feed_forward.hpp:
//
//   dZ = dY·W₂ᵀ∘M where Z >= 0, else 0
//   dX = dZ·W₁ᵀ    dW₁ = Xᵀ·dZ    db₁ = Σ_r dZ[r]    dW₂ = Hᵀ·dY    db₂ = Σ_r dY[r]
namespace stepgrad::kernels {
namespace {

struct FeedForwardGradPass {
  FeedForward f;
  float* saved;
  const float* dy;
  FeedForwardGrads g;
  Weight w2t{{f.w2, f.d_model}, true, f.d_model, f.d_ff};
  Weight w1t{{f.w1, f.d_ff}, true, f.d_ff, f.d_model};
  float *x_panels = nullptr, *dy_panels = nullptr, *dz = nullptr;  // of one block

  // dz = dh∘M where the clamp let it pass, for `rows` rows of one panel; db₁ += Σ_r dz[r].
  STEPGRAD_INLINE void gate(const Hidden& hidden, int64_t r0, int64_t rows, int64_t j) const {
    V sum[tile_vectors];
    STEPGRAD_UNROLL
    for (int v = 0; v < tile_vectors; ++v) sum[v] = V(0.f);
    const V scale(1.f / f.keep);
    for (int64_t r = r0; r < r0 + rows; ++r) {
      float* to = dz + j * hidden.rows + r * panel;
      const uint32_t open = *hidden.gate(j, r);
      STEPGRAD_UNROLL
      for (int v = 0; v < tile_vectors; ++v) {
        const V d = select(mask_of(open >> (v * W)), load(to + v * W) * scale, V(0.f));
        store(to + v * W, d);
        sum[v] = sum[v] + d;
      }
    }
    if (g.db1) add_sums(sum, smaller(panel, f.d_ff - j), g.db1 + j);
  }

  STEPGRAD_INLINE static void add_sums(const V (&sum)[tile_vectors], int64_t cols, float* to) {
    alignas(64) float sums[panel];
    for (int v = 0; v < tile_vectors; ++v) sum[v].store_aligned(sums + v * W);
    for (int64_t c = 0; c < cols; ++c) to[c] += sums[c];
  }

  // db₂ += Σ_r dy[r] for one panel of a block.
  STEPGRAD_INLINE void add_bias_grad(int64_t rows, int64_t j) const {
    V sum[tile_vectors];
    STEPGRAD_UNROLL
    for (int v = 0; v < tile_vectors; ++v) sum[v] = V(0.f);
    for (int64_t r = 0; r < rows; ++r) {
      STEPGRAD_UNROLL
      for (int v = 0; v < tile_vectors; ++v) {
        sum[v] = sum[v] + load(dy_panels + j * rows + r * panel + v * W);
      }
    }
    add_sums(sum, smaller(panel, f.d_model - j), g.db2 + j);
  }

  // Panels of the block's x and dy, a share of the columns by each thread.
  STEPGRAD_INLINE void pack_inputs(const Team& team, int64_t first, int64_t rows) const {
    const Range mine = share_panels(team, f.d_model);
    const int64_t from = first * f.d_model + mine.begin, cols = mine.end - mine.begin;
    pack({f.x + from, f.d_model}, rows, cols, x_panels + mine.begin * rows);
    pack({dy + from, f.d_model}, rows, cols, dy_panels + mine.begin * rows);
    for (int64_t j = mine.begin; g.db2 && j < mine.end; j += panel) add_bias_grad(rows, j);
  }

  // dW += left ᵀ·right for the panels [begin, end) of left's columns, the rows of a block being k.
  // `group` of left's columns at a time, so that their panels stay in L2 while right passes by.
  STEPGRAD_INLINE void add_weight_grad(int64_t rows, const float* left, Range from,
                                       const float* right, Range to, int64_t n, bool add,
                                       float* dw) const {
    for (int64_t i = from.begin; i < from.end; i += row_block) {
      for (int64_t j = to.begin; j < to.end; j += panel) {
        const PackedRight panels{right + j * rows};
        multiply_panel(smaller(row_block, from.end - i), rows, Columns{left + i * rows, rows},
                       panels, panels,
                       ToMatrix{dw + i * n + j, n, static_cast<int>(smaller(panel, n - j)), add});
      }
    }
  }

  // A thread keeps to its own hidden columns, so that what it needs of dZ it has made itself. Only
  // dX needs all of them.
  void block(const Team& team, int64_t first, int64_t rows, float* own) const {
    const Hidden hidden = saved_block(saved, f.rows, f.d_ff, first, rows);
    const Range mine = share_panels(team, f.d_ff), all{0, f.d_model};
    pack_inputs(team, first, rows);
    team.wait();
    for (int64_t r0 = 0; r0 < rows; r0 += row_block) {
      const int64_t some = smaller(row_block, rows - r0);
      multiply_block(
          some, Rows{dy_panels + r0 * panel, rows}, w2t, mine, own,
          [&](int64_t j) {
            return ToMatrix{dz + j * rows + r0 * panel, panel, 0, false};
          },
          [&](int64_t j) { gate(hidden, r0, some, j); });
    }
    if (g.dw1) add_weight_grad(rows, x_panels, all, dz, mine, f.d_ff, first > 0, g.dw1);
    if (g.dw2) add_weight_grad(rows, hidden.h, mine, dy_panels, all, f.d_model, first > 0, g.dw2);
    team.wait();
    if (g.dx) input_grad(team, first, rows, own);
  }

  // dX = dZ·W₁ᵀ for a block: its rows are shared out, or its columns if there are few rows.
  STEPGRAD_INLINE void input_grad(const Team& team, int64_t first, int64_t rows, float* own) const {
    const bool few = rows <= few_rows;
    const Range columns = few ? share_panels(team, f.d_model) : Range{0, f.d_model};
    const int64_t end = few ? rows : team.end(rows);
    for (int64_t r0 = few ? 0 : team.first(rows); r0 < end; r0 += row_block) {
      float* to = g.dx + (first + r0) * f.d_model;
      multiply_block(
          smaller(row_block, end - r0), Rows{dz + r0 * panel, rows}, w1t, columns, own,
          [&](int64_t j) {
            return ToMatrix{to + j, f.d_model, 0, false};
          },
          [](int64_t) {});
    }
    team.wait();
  }

  void run(const Team& team, float* shared) {
    static thread_local Scratch scratch;
    float* own = scratch.floats(panels_size(k_block, panel));
    const int64_t rows = smaller(layer_block, f.rows);
    x_panels = shared;
    dy_panels = x_panels + panels_size(rows, f.d_model);
    dz = dy_panels + panels_size(rows, f.d_model);
    if (f.rows > few_rows) {
      w2t.packed = dz + panels_size(rows, f.d_ff);
      w2t.pack_share(team);
      if (g.dx) {
        w1t.packed = w2t.packed + panels_size(f.d_model, f.d_ff);
        w1t.pack_share(team);
      }
      team.wait();
    }
    for (int64_t first = 0; first < f.rows; first += layer_block) {
      block(team, first, smaller(layer_block, f.rows - first), own);
    }
  }

  int64_t shared_size() const {
    const int64_t rows = smaller(layer_block, f.rows);
    const int64_t block = 2 * panels_size(rows, f.d_model) + panels_size(rows, f.d_ff);
    if (f.rows <= few_rows) return block;
    return block + panels_size(f.d_model, f.d_ff) + (g.dx ? panels_size(f.d_ff, f.d_model) : 0);
  }
};

void feed_forward_grad(const FeedForward& f, const float* saved, const float* dy,
                       const FeedForwardGrads& g) {
  if (g.db1) fill(f.d_ff, 0.f, g.db1);
  if (g.db2) fill(f.d_model, 0.f, g.db2);
  if (f.rows > 0) return run_pass(FeedForwardGradPass{f, const_cast<float*>(saved), dy, g});
  if (g.dw1) fill(f.d_model * f.d_ff, 0.f, g.dw1);
  if (g.dw2) fill(f.d_model * f.d_ff, 0.f, g.dw2);
}

}  // namespace
}  // namespace stepgrad::kernels
