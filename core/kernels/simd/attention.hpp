#pragma once

#include "core/kernels/simd/matmul.hpp"
#include "core/kernels/simd/random.hpp"
#include "core/kernels/simd/rows.hpp"

// table.hpp's Attention without its arrays of [n_q, n_k] numbers.
//
// A thread takes some rows of Q of one head. Their scores become probabilities while they are in
// L2, and are multiplied with V there; the gradient recomputes them. Each block of rows is stored
// as panels (pack.hpp), [n_k / panel][rows][panel]: the product with Kᵀ writes this layout, and P·V
// and, transposed, Pᵀ·dY read it as their left-hand matrix.
//
// Keys that the mask hides from all rows of a block are skipped: their probabilities are exactly 0,
// unless all other scores are as low as `fill`. Each element of Y is computed by the same additions
// in the same order as by the separate kernels.
namespace stepgrad::kernels {
namespace {

// Floats of scores in a block of rows: half a MiB.
constexpr int64_t block_scores = 128 << 10;

// A packed right-hand matrix of k rows.
struct Panels {
  const float* at;
  int64_t k;
};

// The output: column j, the first of a panel, is at y + j * step, and rows are `row` apart.
struct Target {
  float* y;
  int64_t row, step;
  bool add = false;
};

STEPGRAD_INLINE Rows later(const Rows& left, int64_t p) { return {left.at + p * left.rows, left.rows}; }
STEPGRAD_INLINE Columns later(const Columns& left, int64_t p) { return {left.at + p * panel, left.k}; }

// to = left·right for some rows, n columns and the first `steps` steps of k.
STEPGRAD_INLINE void product(
    int64_t rows, int64_t steps, const auto& left, const Panels& right, int64_t n, const Target& to) {
  for (int64_t p = 0; p < steps; p += k_block) {
    for (int64_t j = 0; j < n; j += panel) {
      const Packed at{right.at + j * right.k + p * panel};
      const int64_t cols = to.step == 1 ? smaller(panel, n - j) : panel;
      multiply_panel(rows, smaller(k_block, steps - p), later(left, p), at, at,
          Result{to.y + j * to.step, to.row, cols, to.add || p > 0});
    }
  }
}

// A row of a block's scores.
struct PanelRow {
  float* at;
  int64_t jump;  // from one panel to the next
  STEPGRAD_INLINE float* operator()(int64_t c) const { return at + c / panel * jump + c % panel; }
};

// Some rows of one head, from query r0 on.
struct AttentionRows {
  const Attention& f;
  int64_t head, r0, rows;

  STEPGRAD_INLINE int64_t first_of(int64_t size) const { return (head * f.n_q + r0) * size; }
  STEPGRAD_INLINE PanelRow row(float* block, int64_t r) const { return {block + r * panel, rows * panel}; }
  STEPGRAD_INLINE const float* mask(int64_t r) const { return f.mask + f.mask_offset[head] + (r0 + r) * f.mask_row; }

  // The lanes of row r from column c on that are not masked.
  STEPGRAD_INLINE Mask open(int64_t r, int64_t c) const {
    const int64_t ahead = f.causal ? r0 + r + 1 - c : W;
    const Mask seen = mask_of(ahead >= W ? ~uint32_t{0} : ahead > 0 ? (1u << ahead) - 1 : 0);
    if (!f.mask) return seen;
    const V m = f.mask_column == 0 ? V(*mask(r)) : load_some(mask(r) + c, f.n_k - c);
    return seen & (m == V(0.f));
  }

  // The number of keys up to the last one visible to any of the rows, in whole panels; or all keys.
  int64_t keys() const {
    int64_t last = 0;
    for (int64_t r = 0; r < rows; ++r) {
      int64_t c = f.causal ? smaller(f.n_k, r0 + r + 1) : f.n_k;
      if (f.mask && f.mask_column == 0 && *mask(r) != 0) return f.n_k;
      while (f.mask && f.mask_column && c > 0 && mask(r)[c - 1] != 0) --c;
      if (c == 0) return f.n_k;  // all masked: equally probable
      last = larger(last, c);
    }
    return smaller(f.n_k, ceil_div(last, panel) * panel);
  }

  // s = softmax of the scores of the first `keys` keys. False: later keys count too.
  bool probabilities(int64_t keys, const Rows& q, const Panels& kt, float* s) const {
    product(rows, f.d, q, kt, keys, {s, panel, rows});
    const V scale(f.scale), fill(f.fill), lowest(-__builtin_inff());
    for (int64_t r = 0; r < rows; ++r) {
      const PanelRow x = row(s, r);
      V most = lowest;
      for (int64_t c = 0; c < keys; c += W) {
        const V v = select(open(r, c), load(x(c)) * scale, fill);
        store(x(c), v);
        const int64_t rest = keys - c;
        most = Larger{}(rest >= W ? v : select(mask_of((1u << rest) - 1), v, lowest), most);
      }
      const float shift = fold(most, Larger{});
      if (keys < f.n_k && shift < f.fill + 150) return false;
      for (int64_t c = 0; c < keys; c += W) {
        store(x(c), exp_of_difference(load(x(c)), V(shift)));
      }
      float total[1];  // cut as for a whole row
      sums_of_steps(f.n_k, total, [&](V(&sum)[1], int64_t c, int64_t rest) {
        if (c < keys) sum[0] = sum[0] + first(load(x(c)), rest);
      });
      const V each(1.f / total[0]);
      for (int64_t c = 0; c < keys; c += W) store(x(c), load(x(c)) * each);
    }
    return true;
  }

  // The scores and their softmax; returns the number of keys.
  int64_t probabilities(const float* q, const Panels& kt, float* s) const {
    const int64_t some = keys();
    const Rows left{q, rows};
    if (probabilities(some, left, kt, s)) return some;
    probabilities(f.n_k, left, kt, s);
    return f.n_k;
  }

  // Draws M for the rows if there is dropout. drawn: [rows, n_k]
  void draw(float* drawn) const {
    if (f.keep == 1) return;
    dropout_mask({rows, f.n_k, f.seed, f.call, f.first_row + head * f.n_q + r0}, f.keep, drawn);
  }
  STEPGRAD_INLINE V kept(const float* drawn, int64_t r, int64_t c) const {
    return load_some(drawn + r * f.n_k + c, f.n_k - c);
  }

  // to = from∘M / keep
  void drop(int64_t keys, const float* drawn, float* from, float* to) const {
    const V keep(f.keep);
    for (int64_t r = 0; r < rows; ++r) {
      const PanelRow p = row(from, r), dropped = row(to, r);
      for (int64_t c = 0; c < keys; c += W) {
        store(dropped(c), divide(load(p(c)) * kept(drawn, r, c), keep));
      }
    }
  }

  // g = scale·dS, where g was dY·Vᵀ: dP = g∘M / keep, dS = P∘(dP - Σ P∘dP), 0 where masked.
  void scores_grad(int64_t keys, const float* drawn, float* p, float* g) const {
    const V keep(f.keep), scale(f.scale);
    for (int64_t r = 0; r < rows; ++r) {
      const PanelRow P = row(p, r), G = row(g, r);
      for (int64_t c = 0; f.keep < 1 && c < keys; c += W) {
        store(G(c), divide(load(G(c)), keep) * kept(drawn, r, c));
      }
      float total[1];
      sums_of_steps(keys, total, [&](V(&sum)[1], int64_t c, int64_t rest) {
        sum[0] = mul_add(first(load(P(c)), rest), first(load(G(c)), rest), sum[0]);
      });
      for (int64_t c = 0; c < keys; c += W) {
        const V d = load(P(c)) * (load(G(c)) - V(total[0])) * scale;
        store(G(c), select(open(r, c), d, V(0.f)));
      }
    }
  }
};

// Rows of Q per block. A head's blocks do not depend on the number of threads.
STEPGRAD_INLINE int64_t attention_rows(const Attention& f) {
  const int64_t some = block_scores / (ceil_div(f.n_k, panel) * panel);
  return smaller(f.n_q, larger(tile_rows, smaller(row_block, some)));
}

// Memory cut into pieces, each starting on a cache line.
struct Pieces {
  float* at;
  int64_t size = 0;
  STEPGRAD_INLINE float* take(int64_t n) {
    float* piece = at + size;
    size += ceil_div(n, 16) * 16;
    return at ? piece : nullptr;
  }
};

// A thread's working memory: one head's packed matrices, and some rows' scores.
struct AttentionMemory {
  float *kt, *v, *q, *s, *drawn;  // Kᵀ, V; Q's rows, S or P, and M
  float *k, *vt, *dy, *g, *p;     // for the gradient: K, Vᵀ; dY's rows, dS, and P∘M / keep
  float *q_right, *dy_right;      // Q's and dY's rows as right-hand matrices
  int64_t size;

  AttentionMemory(const Attention& f, bool grad, float* memory) {
    Pieces pieces{memory};
    const int64_t rows = attention_rows(f), scores = panels_size(rows, f.n_k);
    const auto also = [&](int64_t n) { return grad ? pieces.take(n) : nullptr; };
    kt = pieces.take(panels_size(f.d, f.n_k)), v = pieces.take(panels_size(f.n_k, f.d_v));
    q = pieces.take(panels_size(rows, f.d)), s = pieces.take(scores);
    drawn = pieces.take(f.keep < 1 ? rows * f.n_k : 0);
    k = also(panels_size(f.n_k, f.d)), vt = also(panels_size(f.d_v, f.n_k));
    dy = also(panels_size(rows, f.d_v)), g = also(scores), p = also(f.keep < 1 ? scores : 0);
    q_right = also(panels_size(rows, f.d)), dy_right = also(panels_size(rows, f.d_v));
    size = pieces.size;
  }
};

STEPGRAD_INLINE double attention_work(const Attention& f) {
  return 2. * double(f.heads * f.n_q * f.n_k) * double(f.d + f.d_v);
}

void attention(const Attention& f, float* y) {
  const int64_t step = attention_rows(f), blocks = ceil_div(f.n_q, step);
  const int threads = threads_for(attention_work(f) >= worth_a_team);
  share_among(threads, f.heads * blocks, 1, [&](int64_t t, int64_t end) {
    static thread_local Scratch scratch;
    const int64_t size = AttentionMemory(f, false, nullptr).size;
    const AttentionMemory m(f, false, scratch.floats(size));
    for (int64_t packed = -1; t < end; ++t) {
      const int64_t head = t / blocks, r0 = t % blocks * step;
      const AttentionRows some{f, head, r0, smaller(step, f.n_q - r0)};
      if (packed != head) {
        pack_transposed({f.k + head * f.n_k * f.d, f.d}, f.d, f.n_k, m.kt);
        pack_panels({f.v + head * f.n_k * f.d_v, f.d_v}, f.n_k, f.d_v, m.v);
        packed = head;
      }
      pack_panels({f.q + some.first_of(f.d), f.d}, some.rows, f.d, m.q);
      const int64_t keys = some.probabilities(m.q, {m.kt, f.d}, m.s);
      some.draw(m.drawn);
      if (f.keep < 1) some.drop(keys, m.drawn, m.s, m.s);
      product(some.rows, keys, Rows{m.s, some.rows}, {m.v, f.n_k}, f.d_v, {y + some.first_of(f.d_v), f.d_v, 1});
    }
  });
}

// to += leftᵀ·right for left's first n columns, stored in panels of `rows` rows.
STEPGRAD_INLINE void add_transposed(
    int64_t rows, int64_t n, const float* left, const float* right, int64_t cols, float* to) {
  for (int64_t i = 0; i < n; i += row_block) {
    product(smaller(row_block, n - i), rows, Columns{left + i * rows, rows}, {right, rows}, cols,
        {to + i * cols, cols, 1, true});
  }
}

// A thread takes whole heads, so that sums over queries are added in order.
void attention_grad(const Attention& f, const float* dy, const AttentionGrads& to) {
  const int64_t step = attention_rows(f);
  const int threads = threads_for(attention_work(f) >= worth_a_team);
  share_among(threads, f.heads, 1, [&](int64_t head, int64_t end) {
    static thread_local Scratch scratch;
    const int64_t size = AttentionMemory(f, true, nullptr).size;
    const AttentionMemory m(f, true, scratch.floats(size));
    for (; head < end; ++head) {
      const Matrix k{f.k + head * f.n_k * f.d, f.d}, v{f.v + head * f.n_k * f.d_v, f.d_v};
      float *dk = to.dk + head * f.n_k * f.d, *dv = to.dv + head * f.n_k * f.d_v;
      pack_transposed(k, f.d, f.n_k, m.kt);
      pack_transposed(v, f.d_v, f.n_k, m.vt);
      pack_panels(k, f.n_k, f.d, m.k);
      for (int64_t i = 0; i < f.n_k * f.d; ++i) dk[i] = 0;
      for (int64_t i = 0; i < f.n_k * f.d_v; ++i) dv[i] = 0;
      for (int64_t r0 = 0; r0 < f.n_q; r0 += step) {
        const AttentionRows some{f, head, r0, smaller(step, f.n_q - r0)};
        const Matrix q{f.q + some.first_of(f.d), f.d}, dy_rows{dy + some.first_of(f.d_v), f.d_v};
        pack_panels(q, some.rows, f.d, m.q);
        pack_panels(dy_rows, some.rows, f.d_v, m.dy);
        pack_panels(q, some.rows, f.d, m.q_right);
        pack_panels(dy_rows, some.rows, f.d_v, m.dy_right);
        const int64_t keys = some.probabilities(m.q, {m.kt, f.d}, m.s);
        some.draw(m.drawn);
        if (f.keep < 1) some.drop(keys, m.drawn, m.s, m.p);
        const float* met_v = f.keep < 1 ? m.p : m.s;
        add_transposed(some.rows, keys, met_v, m.dy_right, f.d_v, dv);
        product(some.rows, f.d_v, Rows{m.dy, some.rows}, {m.vt, f.d_v}, keys, {m.g, panel, some.rows});
        some.scores_grad(keys, m.drawn, m.s, m.g);
        product(some.rows, keys, Rows{m.g, some.rows}, {m.k, f.n_k}, f.d, {to.dq + some.first_of(f.d), f.d, 1});
        add_transposed(some.rows, keys, m.g, m.q_right, f.d, dk);
      }
    }
  });
}

constexpr AttentionKernels attention_kernels{attention, attention_grad};

}
}
