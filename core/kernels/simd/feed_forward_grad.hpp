#pragma once

#include "core/kernels/simd/feed_forward.hpp"
#include "core/kernels/simd/reduce.hpp"

// The gradients of feed_forward.hpp, by the formulas in table.hpp.
//
// One block of rows after another. A thread keeps its own hidden columns, so it has computed all of
// dZ that its weights' gradients need; only dX needs all columns.
namespace stepgrad::kernels {
namespace {

static_assert(row_block == sum_rows, "bias gradients are sums as of the separate kernels");

struct FeedForwardGradPass {
  FeedForward f;
  float* saved;
  const float* dy;
  FeedForwardGrads g;
  bool by_columns = f.rows <= few_rows;
  RightMatrix w2t{{f.w2, f.d_model}, true, f.d_model, f.d_ff};
  RightMatrix w1t{{f.w1, f.d_ff}, true, f.d_ff, f.d_model};

  // Shared by the threads, one after the other: panels of a block and, unless there are few rows,
  // of the weights.
  int64_t height = smaller(layer_block, f.rows);
  int64_t x_at = 0;
  int64_t dy_at = x_at + panels_size(height, f.d_model);
  int64_t dz_at = dy_at + panels_size(height, f.d_model);
  int64_t w2t_at = dz_at + panels_size(height, f.d_ff);
  int64_t w1t_at = w2t_at + (by_columns ? 0 : w2t.size());
  int64_t b1_at = w1t_at + (by_columns || !g.dx ? 0 : w1t.size());
  int64_t b2_at = b1_at + f.d_ff;
  int64_t end = b2_at + f.d_model;

  int64_t shared_size() const { return end; }

  // Panels of the block's x and dy, and db₂: the team shares the columns.
  STEPGRAD_INLINE void pack_inputs(const Team& team, int64_t first, int64_t rows, float* shared) const {
    const Stretch mine = team.share(f.d_model, panel);
    const int64_t from = first * f.d_model + mine.begin, cols = mine.end - mine.begin;
    const int64_t at = mine.begin * rows;
    pack_panels({f.x + from, f.d_model}, rows, cols, shared + x_at + at);
    pack_panels({dy + from, f.d_model}, rows, cols, shared + dy_at + at);
    for (int64_t r = 0; g.db2 && r < rows; r += row_block) {
      add_column_sums(smaller(row_block, rows - r), cols, dy + from + r * f.d_model, f.d_model, g.db2 + mine.begin);
    }
  }

  // dz = dh∘M / keep where the clamp passes, for `rows` rows of one panel; db₁ += Σ_r dz[r].
  STEPGRAD_INLINE void gate(float* dh, const Gate* gates, int64_t rows, int64_t j) const {
    V sum[tile_vectors];
    STEPGRAD_UNROLL
    for (int v = 0; v < tile_vectors; ++v) sum[v] = V(0.f);
    const V keep(f.keep);
    for (int64_t r = 0; r < rows; ++r) {
      STEPGRAD_UNROLL
      for (int v = 0; v < tile_vectors; ++v) {
        float* to = dh + r * panel + v * W;
        const V dz = select(mask_of(uint32_t{gates[r]} >> v * W), divide(load(to), keep), V(0.f));
        store(to, dz);
        sum[v] = sum[v] + dz;
      }
    }
    for (int v = 0; g.db1 && v < tile_vectors; ++v) {
      float* to = g.db1 + j + v * W;
      store_some(to, load_some(to, f.d_ff - j - v * W) + sum[v], f.d_ff - j - v * W);
    }
  }

  // db: the sums of the last `group` rows or fewer; earlier sums are in `totals`, as in sum().
  static constexpr int64_t group = sum_rows * sum_rows;
  STEPGRAD_INLINE void end_group(int64_t first, Stretch columns, float* db, float* totals) const {
    for (int64_t i = columns.begin; db && i < columns.end; ++i) {
      totals[i] = first == group ? db[i] : totals[i] + db[i];
      db[i] = first < f.rows ? 0.f : totals[i];
    }
  }
  STEPGRAD_INLINE void end_groups(const Team& team, int64_t first, float* shared) const {
    end_group(first, team.share(f.d_ff, panel), g.db1, shared + b1_at);
    end_group(first, team.share(f.d_model, panel), g.db2, shared + b2_at);
  }

  // dZ of a block for some hidden columns.
  STEPGRAD_INLINE void hidden_grad(const SavedBlock& block, Stretch hidden, float* shared, float* own) const {
    const GrowingRows dy_rows{shared + dy_at, block.rows}, dz_rows{shared + dz_at, block.rows};
    for (int64_t r0 = 0; r0 < block.rows; r0 += row_block) {
      const int64_t rows = smaller(row_block, block.rows - r0);
      for (int64_t j = hidden.begin; j < hidden.end; j += panel) {
        float* dz = dz_rows.at(j) + r0 * panel;
        for (int64_t p = 0; p < f.d_model; p += k_block) {
          Rows left = dy_rows.from(p);
          left.at += r0 * panel;
          w2t.multiply(rows, left, j, p, own, Result{dz, panel});
        }
        gate(dz, block.gate(j, r0), rows, j);
      }
    }
  }

  // dW += leftᵀ·right for columns `from` of left and `to` of right, panels of `rows` rows. In steps
  // of `row_block` columns of left, whose panels stay in L2 while right is read.
  STEPGRAD_INLINE void weight_grad(int64_t first, int64_t rows, const float* left, Stretch from, const float* right,
      Stretch to, int64_t n, float* dw) const {
    const bool past = streams(dw, f.rows, f.d_model * f.d_ff / n, n);
    for (int64_t i = from.begin; i < from.end; i += block_height(rows)) {
      const int64_t some = smaller(block_height(rows), from.end - i);
      for (int64_t j = to.begin; j < to.end; j += panel) {
        const Packed panels{right + j * rows};
        multiply_panel(some, rows, Columns{left + i * rows, rows}, panels, panels,
            Result{dw + i * n + j, n, smaller(panel, n - j), first > 0, past});
      }
    }
  }

  // dX = dZ·W₁ᵀ for a block.
  STEPGRAD_INLINE void input_grad(const Team& team, int64_t first, int64_t rows, float* shared, float* own) const {
    const Stretch columns = by_columns ? team.share(f.d_model, panel) : Stretch{0, f.d_model};
    const auto [begin, end] = by_columns ? Stretch{0, rows} : team.share(rows);
    for (int64_t r0 = begin; r0 < end; r0 += row_block) {
      const int64_t some = smaller(row_block, end - r0);
      float* to = g.dx + (first + r0) * f.d_model;
      for (int64_t p = 0; p < f.d_ff; p += k_block) {
        Rows left = GrowingRows{shared + dz_at, rows}.from(p);
        left.at += r0 * panel;
        for (int64_t j = columns.begin; j < columns.end; j += panel) {
          w1t.multiply(some, left, j, p, own, Result{to + j, f.d_model, smaller(panel, f.d_model - j)});
        }
      }
    }
  }

  void run(const Team& team, float* shared) const {
    static thread_local Scratch scratch;
    float* own = scratch.floats(k_block * panel);
    FeedForwardGradPass pass(*this);
    if (!by_columns) {
      pass.w2t.packed = shared + w2t_at;
      pass.w2t.pack_share(team);
      if (g.dx) pass.w1t.packed = shared + w1t_at, pass.w1t.pack_share(team);
    }
    const Stretch hidden = team.share(f.d_ff, panel), all{0, f.d_model};
    for (int64_t first = 0; first < f.rows; first += layer_block) {
      const SavedBlock block = saved_block(f, saved, first);
      if (first > 0) team.wait();  // others may still read the previous block's
      if (first > 0 && first % group == 0) end_groups(team, first, shared);
      pack_inputs(team, first, block.rows, shared);
      team.wait();  // for these and the weights
      pass.hidden_grad(block, hidden, shared, own);
      const float *x = shared + x_at, *y_grad = shared + dy_at, *z_grad = shared + dz_at;
      if (g.dw1) weight_grad(first, block.rows, x, all, z_grad, hidden, f.d_ff, g.dw1);
      if (g.dw2) weight_grad(first, block.rows, block.h, hidden, y_grad, all, f.d_model, g.dw2);
      if (g.dx) team.wait(), pass.input_grad(team, first, block.rows, shared, own);
    }
    if (f.rows > group) end_groups(team, f.rows, shared);
    fence_streams();
  }
};

void feed_forward_grad(const FeedForward& f, const float* saved, const float* dy, const FeedForwardGrads& g) {
  if (g.db1) fill(f.d_ff, 0.f, g.db1);
  if (g.db2) fill(f.d_model, 0.f, g.db2);
  if (f.rows > 0) {
    return run_pass(f, FeedForwardGradPass{f, const_cast<float*>(saved), dy, g});
  }
  if (g.dw1) fill(f.d_model * f.d_ff, 0.f, g.dw1);
  if (g.dw2) fill(f.d_model * f.d_ff, 0.f, g.dw2);
}

constexpr FeedForwardKernels feed_forward_kernels{feed_forward, feed_forward_saved, feed_forward_grad};

}
}
