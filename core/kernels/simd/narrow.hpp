#pragma once

#include "core/kernels/simd/block_grads.hpp"
#include "core/kernels/simd/philox.hpp"

// The feed-forward layer where a row of X fills no panel, for vectors along the columns of X. Along
// the rows, as in feed_forward.hpp, many lanes would be empty, and so would most of what is kept of
// a small H. Here rows and columns change places: `panel` rows of X are worked on together, a lane
// for each,
//
//   Hᵀ = clamp(W₁ᵀ·Xᵀ + b₁, 0)∘Mᵀ      Yᵀ = W₂ᵀ·Hᵀ + b₂
//   dZᵀ = W₂·dYᵀ∘Mᵀ where Zᵀ >= 0      dXᵀ = W₁·dZᵀ      dW₁ᵀ = dZᵀ·X      dW₂ = Hᵀ·dY
//
// and all of it stays in L1. Kept are H, as [rows / panel][d_ff][panel], and as many gates. Such a
// group of rows is the right-hand matrix of Hᵀ's products; block by block of layer_block rows, the
// groups are also the left-hand panels of Hᵀ·dY.
//
// Each number is made by the same additions in the same order as elsewhere, but for the bias
// gradients.
//
// The time of forward and backward over that by rows of X, 16384 of them, AVX-512, two cores:
// d_model 1, d_ff 4: 0.45; 4, 16: 0.82; 16, 64: 0.94.
namespace stepgrad::kernels {
namespace {

STEPGRAD_INLINE int64_t count_groups(int64_t rows) { return ceil_div(rows, panel); }

// Whether fewer lanes are empty so. d_ff is the k of H·W₂, which is summed in one go here.
template <class E>
STEPGRAD_INLINE bool is_narrow(const FeedForward& f) {
  return one_layout<E> && f.d_model < panel && f.d_ff <= k_block &&
         count_groups(f.rows) * panel * f.d_model < f.rows * vectors_read(f.d_model) * W;
}

struct NarrowPass {
  FeedForward f;
  float* saved;  // null: nothing is kept

  STEPGRAD_INLINE float* kept_h(int64_t group) const { return saved + group * f.d_ff * panel; }
  STEPGRAD_INLINE Gate* kept_gates(int64_t group) const {
    return reinterpret_cast<Gate*>(kept_h(count_groups(f.rows))) + group * f.d_ff;
  }
  static int64_t saved_size(const FeedForward& f) {
    const int64_t gates = count_groups(f.rows) * f.d_ff * static_cast<int64_t>(sizeof(Gate));
    return panels_size(f.d_ff, f.rows) + ceil_div(gates, static_cast<int64_t>(sizeof(float)));
  }

  // y = the columns of `rows` <= panel rows of x, the lanes of rows that do not exist zeros.
  STEPGRAD_INLINE static void turn(const float* x, int64_t rows, int64_t cols, float* y) {
    for (int64_t i = 0; rows < panel && i < cols * panel; ++i) y[i] = 0.f;
    transpose(rows, cols, x, cols, y, panel);
  }
  STEPGRAD_INLINE static void turn_back(const float* y, int64_t rows, int64_t cols, float* x) {
    transpose(cols, rows, y, panel, x, cols);
  }

  // yᵀ = left·xᵀ for a group of rows: y has m columns, x has k.
  template <class Left>
  STEPGRAD_INLINE static void multiply(int64_t m, int64_t k, const Left& left, const float* x,
                                       float* y) {
    multiply_panel<Fp32>(m, k, left, PackedRight{x}, PackedRight{x}, ToMatrix{y, panel});
  }
};

struct NarrowForward : NarrowPass {
  float* y;
  Philox philox{f.seed, f.call};
  Below below{f.keep};

  NarrowForward(const FeedForward& f, float* saved, float* y) : NarrowPass{f, saved}, y(y) {}

  // h = clamp(h + b₁, 0)∘Mᵀ for the group of rows that starts at row r, and its gates: shut for
  // rows that do not exist.
  STEPGRAD_INLINE void activate(int64_t r, float* h, Gate* gates) const {
    const uint32_t exist = ~uint32_t{0} >> (32 - smaller(panel, f.rows - r));
    for (int64_t j = 0; j < f.d_ff; j += 4) {
      uint32_t kept[4];
      draw(r, j, kept);
      for (int64_t c = j; c < smaller(f.d_ff, j + 4); ++c, h += panel) {
        const Gate open = activate_column(h, f.b1 ? f.b1[c] : 0.f, kept[c - j]);
        if (gates) gates[c] = static_cast<Gate>(open & exist);
      }
    }
  }

  STEPGRAD_INLINE Gate activate_column(float* h, float bias, uint32_t kept) const {
    const V scale(1.f / f.keep), zero(0.f);
    uint32_t open = 0;
    STEPGRAD_UNROLL
    for (int v = 0; v < tile_vectors; ++v, h += W) {
      const V x = load(h) + V(bias);
      store(h, maximum(zero, x) * select(mask_of(kept >> v * W), scale, zero));
      open |= bits_of(x >= zero) << v * W;
    }
    return static_cast<Gate>(open & kept);
  }

  // For each of four columns, a bit for each row of the group: 1 if the element is not dropped.
  STEPGRAD_INLINE void draw(int64_t r, int64_t j, uint32_t (&kept)[4]) const {
    const bool all = f.keep == 1;
    for (uint32_t& bits : kept) bits = all ? ~uint32_t{0} : 0;
    STEPGRAD_UNROLL
    for (int v = 0; !all && v < tile_vectors; v += 2) {
      I words[4][2];
      philox(r + v * W, j, words);
      STEPGRAD_UNROLL
      for (int c = 0; c < 4; ++c) {
        kept[c] |= bits_of(below(words[c][0])) << v * W | bits_of(below(words[c][1]))
                                                              << (v + 1) * W;
      }
    }
  }

  void run(const Team& team) const {
    static thread_local Scratch scratch;
    const int64_t w1_size = panels_size(f.d_model, f.d_ff),
                  w2_size = panels_size(f.d_ff, f.d_model);
    float* w1 = scratch.floats(w1_size + w2_size + (f.d_model + f.d_ff) * panel);
    float *w2 = w1 + w1_size, *xt = w2 + w2_size, *own_h = xt + f.d_model * panel;
    pack_down<Fp32>({f.w1, f.d_ff}, f.d_model, f.d_ff, w1);
    pack_down<Fp32>({f.w2, f.d_model}, f.d_ff, f.d_model, w2);
    const Range mine = team.share(count_groups(f.rows));
    for (int64_t group = mine.begin; group < mine.end; ++group) {
      const int64_t r = group * panel, rows = smaller(panel, f.rows - r);
      float *h = saved ? kept_h(group) : own_h, *yt = xt;
      turn(f.x + r * f.d_model, rows, f.d_model, xt);
      multiply(f.d_ff, f.d_model, Columns{w1, f.d_model}, xt, h);
      activate(r, h, saved ? kept_gates(group) : nullptr);
      multiply(f.d_model, f.d_ff, Columns{w2, f.d_ff}, h, yt);
      for (int64_t i = 0; f.b2 && i < f.d_model * panel; i += W) {
        store(yt + i, load(yt + i) + V(f.b2[i / panel]));
      }
      turn_back(yt, rows, f.d_model, y + r * f.d_model);
    }
  }
};

struct NarrowGrad : NarrowPass {
  const float* dy;
  FeedForwardGrads g;

  NarrowGrad(const FeedForward& f, float* saved, const float* dy, const FeedForwardGrads& g)
      : NarrowPass{f, saved}, dy(dy), g(g) {}

  // dz = dh∘Mᵀ where the clamp let it pass, for one group of rows.
  STEPGRAD_INLINE void gate(const Gate* gates, float* dh) const {
    const V scale(1.f / f.keep);
    for (int64_t c = 0; c < f.d_ff; ++c) {
      STEPGRAD_UNROLL
      for (int v = 0; v < tile_vectors; ++v, dh += W) {
        store(dh, select(mask_of(uint32_t{gates[c]} >> v * W), load(dh) * scale, V(0.f)));
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
  void block(const Team& team, int64_t first, int64_t rows, const FeedForwardGrads& block,
             float* columns, float* own) const {
    const int64_t d = f.d_model, groups = count_groups(rows), kept = first / panel;
    float *dyt = columns, *dzt = dyt + most_rows() * d;
    float *w1 = own, *w2 = w1 + panels_size(d, f.d_ff);
    float *packed = w2 + panels_size(f.d_ff, d), *spare = packed + most_rows() * panel;
    const Range mine = team.share(groups);
    for (int64_t i = mine.begin; i < mine.end; ++i) {
      const int64_t r = first + i * panel, some = smaller(panel, f.rows - r);
      float *dy_i = dyt + i * d * panel, *dz_i = dzt + i * f.d_ff * panel;
      turn(dy + r * d, some, d, dy_i);
      multiply(f.d_ff, d, Rows{w2, f.d_ff}, dy_i, dz_i);
      gate(kept_gates(kept + i), dz_i);
      if (!g.dx) continue;
      multiply(d, f.d_ff, Rows{w1, d}, dz_i, spare);
      turn_back(spare, some, d, g.dx + r * d);
    }
    team.wait();
    const Range hidden = team.share(f.d_ff);
    add_bias_grad(groups, hidden, f.d_ff, dzt, block.db1);
    add_bias_grad(groups, team.share(d), d, dyt, block.db2);
    if (block.dw1) {
      multiply_rows(hidden, rows, dzt, f.x + first * d, packed, spare);
      transpose(hidden.end - hidden.begin, d, spare, d, block.dw1 + hidden.begin, f.d_ff);
    }
    if (block.dw2) {
      multiply_rows(hidden, rows, kept_h(kept), dy + first * d, packed,
                    block.dw2 + hidden.begin * d);
    }
  }

  int64_t shared_size() const {
    return BlockGrads::count(f) > 1 ? BlockGrads::size(f) : columns_size();
  }

  void run(const Team& team, float* shared) const {
    static thread_local Scratch scratch;
    const int64_t d = f.d_model, weights = panels_size(d, f.d_ff) + panels_size(f.d_ff, d);
    const int64_t own_size = weights + most_rows() * panel + d * larger(panel, f.d_ff);
    float* own = scratch.floats(own_size + columns_size());
    pack_along<Fp32>({f.w1, f.d_ff}, d, f.d_ff, own);
    pack_along<Fp32>({f.w2, d}, f.d_ff, d, own + panels_size(d, f.d_ff));
    if (BlockGrads::count(f) == 1) return block(team, 0, f.rows, g, shared, own);
    const auto alone = [&](int64_t first, int64_t rows, const FeedForwardGrads& grads) {
      block(Team{0, 1}, first, rows, grads, own + own_size, own);
    };
    BlockGrads{f, g, shared}.for_blocks<Fp32>(team, alone);
  }
};

}  // namespace
}  // namespace stepgrad::kernels
