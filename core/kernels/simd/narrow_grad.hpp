#pragma once

#include "core/kernels/simd/block_grads.hpp"
#include "core/kernels/simd/narrow.hpp"

// The other direction of narrow.hpp.
namespace stepgrad::kernels {
namespace {

struct NarrowGrad : NarrowPass {
  const float* dy;
  FeedForwardGrads g;

  // dz = dh∘Mᵀ where the clamp let it pass, for one group of rows.
  STEPGRAD_INLINE void gate(const Gate* gates, float* dh) const {
    const V scale(1.f / f.keep);
    for (int64_t c = 0; c < f.d_ff; ++c) {
      STEPGRAD_UNROLL
      for (int v = 0; v < tile_vectors; ++v, dh += W) {
        store(dh, gated(load(dh), uint32_t{gates[c]} >> v * W, scale));
      }
    }
  }

  // db[c] += Σ_r x[r, c] for some columns of a block of which x has the groups.
  STEPGRAD_INLINE static void add_bias_grad(int64_t groups, Range columns, int64_t cols,
                                            const float* x, float* db) {
    for (int64_t c = columns.begin; db && c < columns.end; ++c) {
      V sum(0.f);
      for (int64_t group = 0; group < groups; ++group) {
        for (int v = 0; v < tile_vectors; ++v) {
          sum = sum + load(x + (group * cols + c) * panel + v * W);
        }
      }
      db[c] += sum_lanes(sum);
    }
  }

  // Some rows of leftᵀ·right [d_ff, d_model], left the groups of a block, right as many rows.
  STEPGRAD_INLINE void multiply_rows(Range mine, int64_t rows, const float* left,
                                     const float* right, float* packed, float* y) const {
    pack_down<Fp32>({right, f.d_model}, rows, f.d_model, packed);
    multiply_panel<Fp32>(mine.end - mine.begin, rows, Rows{left + mine.begin * panel, f.d_ff},
                         PackedRight{packed}, PackedRight{packed},
                         ToMatrix{y, f.d_model, static_cast<int>(f.d_model)});
  }

  int64_t most_rows() const { return smaller(layer_block, count_groups(f.rows) * panel); }
  int64_t columns_size() const { return most_rows() * (f.d_model + f.d_ff); }  // of dYᵀ and dZᵀ

  // A block's gradients, by a team that shares out first its groups and then its columns.
  // `columns` is the team's, `own` is this thread's.
  void block(const Team& team, int64_t first, int64_t rows, const FeedForwardGrads& grads,
             float* columns, float* own) const {
    const int64_t d = f.d_model, groups = count_groups(rows), first_group = first / panel;
    float *dyt = columns, *dzt = dyt + most_rows() * d;
    float *w1 = own, *w2 = w1 + panels_size(d, f.d_ff);
    float *packed = w2 + panels_size(f.d_ff, d), *spare = packed + most_rows() * panel;
    const Range mine = team.share(groups);
    if (first > 0) team.wait();  // others may still read the columns
    for (int64_t i = mine.begin; i < mine.end; ++i) {
      const int64_t r = first + i * panel, some = smaller(panel, f.rows - r);
      float *dy_i = dyt + i * d * panel, *dz_i = dzt + i * f.d_ff * panel;
      turn(dy + r * d, some, d, dy_i);
      multiply(f.d_ff, d, Rows{w2, f.d_ff}, dy_i, dz_i);
      gate(kept_gates(first_group + i), dz_i);
      if (!g.dx) continue;
      multiply(d, f.d_ff, Rows{w1, d}, dz_i, spare);
      turn_back(spare, some, d, g.dx + r * d);
    }
    team.wait();
    const Range hidden = team.share(f.d_ff);
    add_bias_grad(groups, hidden, f.d_ff, dzt, grads.db1);
    add_bias_grad(groups, team.share(d), d, dyt, grads.db2);
    if (grads.dw1) {
      multiply_rows(hidden, rows, dzt, f.x + first * d, packed, spare);
      transpose(hidden.end - hidden.begin, d, spare, d, grads.dw1 + hidden.begin, f.d_ff);
    }
    if (grads.dw2) {
      multiply_rows(hidden, rows, kept_h(first_group), dy + first * d, packed,
                    grads.dw2 + hidden.begin * d);
    }
  }

  int64_t shared_size() const {
    return columns_size() + (f.rows > layer_block ? BlockGrads::size(f, layer_block) : 0);
  }

  void run(const Team& team, float* shared) const {
    static thread_local Scratch scratch;
    const int64_t d = f.d_model, weights = panels_size(d, f.d_ff) + panels_size(f.d_ff, d);
    const int64_t own_size = weights + most_rows() * panel + d * larger(panel, f.d_ff);
    float* own = scratch.floats(own_size + columns_size());
    pack_along<Fp32>({f.w1, f.d_ff}, d, f.d_ff, own);
    pack_along<Fp32>({f.w2, d}, f.d_ff, d, own + panels_size(d, f.d_ff));
    if (f.rows <= layer_block) return block(team, 0, f.rows, g, shared, own);
    const auto work = [&](const Team& workers, int64_t first, int64_t rows,
                          const FeedForwardGrads& grads) {
      block(workers, first, rows, grads, workers.size > 1 ? shared : own + own_size, own);
    };
    BlockGrads{f, g, shared + columns_size(), layer_block}.for_blocks<Fp32>(team, work);
  }
};

}  // namespace
}  // namespace stepgrad::kernels
