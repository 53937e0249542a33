#pragma once

#include "core/kernels/simd/hidden.hpp"
#include "core/kernels/simd/random.hpp"
#include "core/kernels/simd/weight.hpp"

// The feed-forward layer without its intermediate arrays:
//
//   H = clamp(X·W₁ + b₁, 0)∘M        Y = H·W₂ + b₂
//
// Computed op by op, every one of the five passes over the hidden layer goes to memory and back,
// and that layer is much the largest array of all. Here the rows are cut into pieces, and what is
// done to a panel of a piece's hidden layer (bias, clamp, mask; in the other direction mask, clamp,
// bias gradient) is done while it is still in L1. M is never stored: the counter gives it.
//
// H is kept as panels (panels.hpp), block by block of layer_block rows: it is the left-hand matrix
// of H·W₂ and, transposed, of Hᵀ·dY, and is never packed. Beside it is kept one bit an element,
// whether a gradient passes: not clamped and not dropped. dZ, as large as H, exists for one block
// at a time.
//
// Each number is made by the same additions in the same order as by the separate kernels, but for
// the bias gradients, whose sums are cut elsewhere.
namespace stepgrad::kernels {
namespace {

struct FeedForwardPass {
  FeedForward f;
  float* saved;  // null: nothing is kept
  float* y;
  Weight w1{{f.w1, f.d_ff}, false, f.d_model, f.d_ff};
  Weight w2{{f.w2, f.d_model}, false, f.d_ff, f.d_model};

  // h = clamp(h + b₁, 0)∘M for `rows` rows of one panel, starting at row `first` of all.
  STEPGRAD_INLINE void activate(const Hidden& hidden, int64_t r0, int64_t rows, int64_t first,
                                int64_t j) const {
    alignas(64) float bias[panel] = {};
    const int64_t cols = smaller(panel, f.d_ff - j);
    for (int64_t c = 0; f.b1 && c < cols; ++c) bias[c] = f.b1[j + c];
    const Philox philox{f.seed, f.call};
    const V limit(f.keep), scale(1.f / f.keep), zero(0.f);
    for (int64_t r = 0; r < rows; ++r) {
      float* h = hidden.at(j, r0 + r);
      uint32_t open = 0;
      STEPGRAD_UNROLL
      for (int v = 0; v < tile_vectors; v += 2) {
        V mask[2] = {scale, scale};
        if (f.keep < 1) {
          const Words words =
              philox(static_cast<uint64_t>((j + v * W) / 4), static_cast<uint64_t>(first + r));
          mask[0] = select(to_uniform(words.first) < limit, scale, zero);
          mask[1] = select(to_uniform(words.second) < limit, scale, zero);
        }
        STEPGRAD_UNROLL
        for (int u = 0; u < 2; ++u) {
          const V z = load(h + (v + u) * W) + V::load_aligned(bias + (v + u) * W);
          store(h + (v + u) * W, xsimd::max(zero, z) * mask[u]);
          open |= bits_of((z >= zero) & (mask[u] > zero)) << (v + u) * W;
        }
      }
      if (hidden.gates) *hidden.gate(j, r0 + r) = static_cast<Gate>(open);
    }
  }

  // Rows [r0, r0 + rows) of the block that begins at row `first` of all.
  void piece(const Team& team, const Hidden& hidden, int64_t first, int64_t r0, int64_t rows,
             float* x, float* own) const {
    pack({f.x + (first + r0) * f.d_model, f.d_model}, rows, f.d_model, x);
    multiply_block(
        rows, Rows{x, rows}, w1, share_panels(team, f.d_ff), own,
        [&](int64_t j) {
          return ToMatrix{hidden.at(j, r0), panel, 0, false};
        },
        [&](int64_t j) { activate(hidden, r0, rows, first + r0, j); });
    team.wait();
    float* to = y + (first + r0) * f.d_model;
    multiply_block(
        rows, Rows{hidden.at(0, r0), hidden.rows}, w2, share_panels(team, f.d_model), own,
        [&](int64_t j) {
          return ToMatrix{to + j, f.d_model, 0, false};
        },
        [&](int64_t j) { add_bias(rows, j, to + j); });
    team.wait();
  }

  STEPGRAD_INLINE void add_bias(int64_t rows, int64_t j, float* to) const {
    if (!f.b2) return;
    const int64_t cols = smaller(panel, f.d_model - j);
    for (int64_t r = 0; r < rows; ++r, to += f.d_model) {
      zip(cols, Run<1>{to, 1}, Run<1>{f.b2 + j, 1}, to, Add{});
    }
  }

  // Few rows: one piece, whose columns the team shares out. Many: a member takes whole pieces.
  void run(const Team& team, float* shared) {
    static thread_local Scratch scratch;
    const bool few = f.rows <= few_rows;
    const int64_t x_size = panels_size(row_block, f.d_model);
    const int64_t own_size = panels_size(k_block, panel);
    const int64_t h_size = saved || few ? 0 : panels_size(row_block, f.d_ff);
    float* x = scratch.floats(x_size + own_size + h_size);
    float* own = x + x_size;
    if (few) {
      const Hidden hidden =
          saved ? saved_block(saved, f.rows, f.d_ff, 0, f.rows) : Hidden{shared, nullptr, f.rows};
      return piece(team, hidden, 0, 0, f.rows, x, own);
    }
    w1.packed = shared;
    w2.packed = shared + panels_size(f.d_model, f.d_ff);
    w1.pack_share(team);
    w2.pack_share(team);
    team.wait();
    for (int64_t first = 0; first < f.rows; first += layer_block) {
      const int64_t height = smaller(layer_block, f.rows - first);
      const int64_t pieces = ceil_div(ceil_div(height, row_block), team.size) * team.size;
      for (int64_t t = team.first(pieces); t < team.end(pieces); ++t) {
        const int64_t r0 = height * t / pieces, rows = height * (t + 1) / pieces - r0;
        if (saved) {
          piece(Team{0, 1}, saved_block(saved, f.rows, f.d_ff, first, height), first, r0, rows, x,
                own);
        } else {
          piece(Team{0, 1}, Hidden{own + own_size, nullptr, rows}, first + r0, 0, rows, x, own);
        }
      }
    }
  }

  int64_t shared_size() const {
    if (f.rows <= few_rows) return panels_size(f.rows, f.d_ff);
    return panels_size(f.d_model, f.d_ff) + panels_size(f.d_ff, f.d_model);
  }
};

void feed_forward(const FeedForward& f, float* saved, float* y) {
  if (f.rows > 0) run_pass(FeedForwardPass{f, saved, y});
}

}  // namespace
}  // namespace stepgrad::kernels
