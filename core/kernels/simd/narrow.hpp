#pragma once

#include "core/kernels/simd/hidden.hpp"
#include "core/kernels/simd/philox.hpp"

// The feed-forward layer where a row of X fills no panel. With vectors along the rows, as in
// feed_forward.hpp, many lanes would be empty, and so would most of what is kept of a small H. Here
// rows and columns change places: `panel` rows of X are worked on together, a lane for each,
//
//   Hᵀ = clamp(W₁ᵀ·Xᵀ + b₁, 0)∘Mᵀ      Yᵀ = W₂ᵀ·Hᵀ + b₂
//   dZᵀ = W₂·dYᵀ∘Mᵀ where Zᵀ >= 0      dXᵀ = W₁·dZᵀ      dW₁ᵀ = dZᵀ·X      dW₂ = Hᵀ·dY
//
// and while d_ff is small all of it stays in L1. Kept are H, as [rows / panel][d_ff][panel], and as
// many gates. Such a group of rows is the right-hand matrix of Hᵀ's products; block by block of
// layer_block rows, the groups are also the left-hand panels of Hᵀ·dY.
//
// Each number is made by the same additions in the same order as elsewhere, but for the bias
// gradients.
//
// The time of forward and backward over that along the rows of X, AVX-512, two cores: 16384 rows,
// d_model 1, d_ff 4: 0.45; 4, 16: 0.82; 4096 rows, 20, 20: 0.70; 1000 rows, 30, 400: 0.88.
namespace stepgrad::kernels {
namespace {

STEPGRAD_INLINE int64_t count_groups(int64_t rows) { return ceil_div(rows, panel); }

// Whether fewer lanes are empty so. d_ff is the k of H·W₂, which is one chain of multiply-adds here
// and has to be the same elsewhere.
template <class E>
STEPGRAD_INLINE bool is_narrow(const FeedForward& f) {
  return one_layout<E> && f.d_model < panel && f.d_ff <= k_block &&
         !as_dots<E>(f.d_model, f.d_ff) &&
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

  // In operations: besides the products, a few slower ones for each element.
  double work() const {
    return 8. * static_cast<double>(f.rows) * static_cast<double>((f.d_model + 8) * (f.d_ff + 8));
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
      store(h, activated(x, kept >> v * W, scale));
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

  int64_t shared_size() const { return 0; }

  void run(const Team& team, float*) const {
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

}  // namespace
}  // namespace stepgrad::kernels
