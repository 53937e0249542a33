#pragma once

#include "core/kernels/simd/matmul.hpp"
#include "core/kernels/simd/random.hpp"

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

// A product sums over k_block at a time, and the rows are the k of the weights' gradients.
constexpr int64_t layer_block = k_block;

using Gate = std::conditional_t<panel == 32, uint32_t, uint16_t>;  // a bit for each column

// Bit i: lane i.
STEPGRAD_INLINE uint32_t bits_of(const Mask& mask) {
#if defined(__AVX512F__)
  return static_cast<uint32_t>(static_cast<__mmask16>(mask));
#elif defined(__AVX2__)
  return static_cast<uint32_t>(_mm256_movemask_ps(mask));
#elif defined(__SSE2__)
  return static_cast<uint32_t>(_mm_movemask_ps(mask));
#else
  alignas(64) float lanes[W];
  select(mask, V(1.f), V(0.f)).store_aligned(lanes);
  uint32_t bits = 0;
  for (int i = 0; i < W; ++i) bits |= static_cast<uint32_t>(lanes[i] != 0) << i;
  return bits;
#endif
}

STEPGRAD_INLINE Mask mask_of(uint32_t bits) {
#if defined(__AVX512F__)
  return Mask(static_cast<__mmask16>(bits));
#else
  alignas(64) int32_t lane[W];
  STEPGRAD_UNROLL
  for (int i = 0; i < W; ++i) lane[i] = 1 << i;
  return xsimd::to_float(I(static_cast<int32_t>(bits)) & I::load_aligned(lane)) != V(0.f);
#endif
}

// What one block of rows keeps of the hidden layer.
struct Hidden {
  float* h;     // [panels][rows][panel]
  Gate* gates;  // [panels][rows], or null
  int64_t rows;

  STEPGRAD_INLINE float* at(int64_t j, int64_t r) const { return h + j * rows + r * panel; }
  STEPGRAD_INLINE Gate* gate(int64_t j, int64_t r) const { return gates + j / panel * rows + r; }
};

int64_t feed_forward_saved(int64_t rows, int64_t d_ff) {
  const int64_t gates = count_panels(d_ff) * rows * static_cast<int64_t>(sizeof(Gate));
  return panels_size(rows, d_ff) + ceil_div(gates, static_cast<int64_t>(sizeof(float)));
}

// A block's part of what feed_forward_saved made room for.
STEPGRAD_INLINE Hidden saved_block(float* saved, int64_t all_rows, int64_t d_ff, int64_t first,
                                   int64_t rows) {
  Gate* gates = reinterpret_cast<Gate*>(saved + panels_size(all_rows, d_ff));
  return {saved + panels_size(first, d_ff), gates + first * count_panels(d_ff), rows};
}

// The right-hand panels of W [k, n], or of Wᵀ if W is [n, k]: all of them packed before, or, for a
// product of few rows, each packed where and when it is needed.
struct Weight {
  Matrix w;
  bool transposed;
  int64_t k, n;
  float* packed = nullptr;

  STEPGRAD_INLINE void pack_part(int64_t j, int64_t cols, int64_t p, int64_t steps,
                                 float* to) const {
    if (transposed) {
      pack_transposed(w.from(j, p), steps, cols, to);
    } else {
      pack(w.from(p, j), steps, cols, to);
    }
  }
  STEPGRAD_INLINE void pack_share(const Team& team) const {
    const int64_t begin = team.first(count_panels(n)) * panel;
    const int64_t end = smaller(n, team.end(count_panels(n)) * panel);
    pack_part(begin, end - begin, 0, k, packed + begin * k);
  }

  // left·W for the panel of column j and the steps from p on.
  template <class Out>
  STEPGRAD_INLINE void multiply(int64_t rows, Rows left, int64_t j, int64_t p, int64_t steps,
                                float* own, const Out& out) const {
    const PackedRight right{packed ? packed + j * k + p * panel : own};
    if (!packed && !transposed && n - j >= panel) {  // the first tile packs
      const PackingRight first{w.from(p, j).at, w.row, own};
      return multiply_panel(rows, steps, left, first, right, out);
    }
    if (!packed) pack_part(j, smaller(panel, n - j), p, steps, own);
    multiply_panel(rows, steps, left, right, right, out);
  }
};

// Columns [begin, end) that are one thread's, both at the bounds of panels.
struct Range {
  int64_t begin, end;
};
STEPGRAD_INLINE Range share_panels(const Team& team, int64_t cols) {
  const int64_t panels = count_panels(cols);
  return {team.first(panels) * panel, smaller(cols, team.end(panels) * panel)};
}

// left·W for `rows` rows and a range of columns. to(j) says where the panel of column j goes;
// finish(j) is called when it is complete.
template <class To, class Finish>
STEPGRAD_INLINE void multiply_block(int64_t rows, Rows left, const Weight& weight, Range columns,
                                    float* own, const To& to, const Finish& finish) {
  for (int64_t p = 0; p < weight.k; p += k_block) {
    const int64_t steps = smaller(k_block, weight.k - p);
    for (int64_t j = columns.begin; j < columns.end; j += panel) {
      ToMatrix out = to(j);
      out.cols = static_cast<int>(smaller(panel, weight.n - j));
      out.add = p > 0;
      weight.multiply(rows, Rows{left.at + p * left.rows, left.rows}, j, p, steps, own, out);
      if (p + steps == weight.k) finish(j);
    }
  }
}

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

// Runs a pass on all threads, or on one if there is little to do.
template <class Pass>
STEPGRAD_INLINE void run_pass(const Pass& pass) {
  static thread_local Scratch scratch;
  float* shared = scratch.floats(pass.shared_size());
  const FeedForward& f = pass.f;
  const double work = 4. * static_cast<double>(f.rows * f.d_model) * static_cast<double>(f.d_ff);
  const bool team = !omp_in_parallel() && work >= worth_a_team;
#pragma omp parallel if (team)
  Pass(pass).run(Team{omp_get_thread_num(), omp_get_num_threads()}, shared);
}

void feed_forward(const FeedForward& f, float* saved, float* y) {
  if (f.rows > 0) run_pass(FeedForwardPass{f, saved, y});
}

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
