#pragma once

#include "core/kernels/simd/matmul.hpp"
#include "core/kernels/simd/philox.hpp"

// table.hpp's FeedForward without its intermediate arrays.
//
// Op by op, each of five passes over the hidden layer, by far the largest array, reads and writes
// memory. Here each panel of a few rows is completed while it is in L1: bias, clamp, mask; in
// backward mask, clamp, bias gradient. M is drawn from the counter.
//
// H is saved as panels (pack.hpp), block by block of rows: it is the left-hand matrix of H·W₂ and,
// transposed, of Hᵀ·dY, and is never packed. One bit per element of H is saved too: whether the
// gradient passes, that is, not clamped and not dropped. dZ, as large as H, exists for one block at
// a time.
//
// Each number is computed by the same additions in the same order as by the separate kernels,
// except the bias gradient of one column.
namespace stepgrad::kernels {
namespace {

constexpr int64_t layer_block = k_block;  // rows: the k of the weights' gradients
static_assert(layer_block % row_block == 0);

using Gate = std::conditional_t<panel == 32, uint32_t, uint16_t>;  // one bit per column

// The hidden layer of one block of rows, for the gradient: h as the columns of Hᵀ·dY, and the
// gates.
struct SavedBlock {
  float* h;     // [panels][rows][panel]; null: nothing is saved
  Gate* gates;  // [panels][rows]
  int64_t rows;

  STEPGRAD_INLINE float* at(int64_t j, int64_t r) const { return h + j * rows + r * panel; }
  STEPGRAD_INLINE Gate* gate(int64_t j, int64_t r) const { return gates + j / panel * rows + r; }
};

// The block's part of `saved`, which has saved_size floats: first all of H, then all gates.
STEPGRAD_INLINE SavedBlock saved_block(const FeedForward& f, float* saved, int64_t first) {
  const int64_t cols = ceil_div(f.d_ff, panel) * panel, rows = smaller(layer_block, f.rows - first);
  if (!saved) return {nullptr, nullptr, rows};
  Gate* gates = reinterpret_cast<Gate*>(saved + f.rows * cols);
  return {saved + first * cols, gates + first * (cols / panel), rows};
}

int64_t feed_forward_saved(const FeedForward& f) {
  const int64_t gates = ceil_div(f.d_ff, panel) * f.rows * int64_t(sizeof(Gate));
  return panels_size(f.rows, f.d_ff) + ceil_div(gates, 4);
}

// A left-hand matrix, as of pack_panels(), that is written panel by panel.
struct GrowingRows {
  float* h;
  int64_t rows;

  STEPGRAD_INLINE float* at(int64_t j) const { return h + j * rows; }
  STEPGRAD_INLINE Rows from(int64_t k) const { return {h + k * rows, rows}; }
};

// Runs a pass over the layer on all threads, or on one if there is little work.
STEPGRAD_INLINE void run_pass(const FeedForward& f, const auto& pass) {
  static thread_local Scratch scratch;
  float* shared = scratch.floats(pass.shared_size());
  const double weights = double(f.d_model * f.d_ff);
  run_team(threads_for(4. * double(f.rows) * weights >= worth_a_waiting_team),
      [&](const Team& team) { pass.run(team, shared); });
}

struct FeedForwardPass {
  FeedForward f;
  float* saved;  // null: nothing is saved
  float* y;
  bool by_columns = f.rows <= few_rows;  // the team shares the columns, otherwise the rows
  RightMatrix w1{{f.w1, f.d_ff}, false, f.d_model, f.d_ff};
  RightMatrix w2{{f.w2, f.d_model}, false, f.d_ff, f.d_model};

  // One bit per column of a panel, 1 if not dropped, for some rows from row r on.
  template <int rows>
  STEPGRAD_INLINE void draw(int64_t r, int64_t j, uint32_t (&kept)[rows]) const {
    const Below below(f.keep);
    const bool all = f.keep == 1;
    for (uint32_t& bits : kept) bits = all ? ~uint32_t{0} : 0;
    if (all) return;
    STEPGRAD_UNROLL
    for (int v = 0; v < tile_vectors; v += 2) {
      Words words[rows];
      PhiloxWords{f.seed, f.call}(Cover(panel), f.first_row + r, j + v * W, words);
      STEPGRAD_UNROLL
      for (int i = 0; i < rows; ++i) {
        kept[i] |= bits_of(below(words[i].first)) << v * W | bits_of(below(words[i].second)) << (v + 1) * W;
      }
    }
  }

  // z = clamp(z + b₁, 0)∘M / keep for `rows` rows of one panel, from row r0 of a block whose row 0
  // is row `first` of all; and their gates.
  STEPGRAD_INLINE void activate(
      float* z, const SavedBlock& block, int64_t first, int64_t r0, int64_t rows, int64_t j) const {
    constexpr int at_once = 4;  // rows of interleaved rounds of Philox
    const int64_t cols = smaller(panel, f.d_ff - j);
    const uint32_t exist = ~uint32_t{0} >> (32 - cols);
    const V keep(f.keep), one(1.f), zero(0.f);
    V bias[tile_vectors];
    load_row(f.b1 ? f.b1 + j : f.x, f.b1 ? cols : 0, bias);
    for (int64_t begin = 0; begin < rows; begin += at_once) {
      uint32_t drawn[at_once];
      draw(first + r0 + begin, j, drawn);
      for (int64_t r = begin; r < smaller(rows, begin + at_once); ++r) {
        const uint32_t bits = drawn[r - begin];
        uint32_t open = 0;
        STEPGRAD_UNROLL
        for (int v = 0; v < tile_vectors; ++v) {
          float* h = z + r * panel + v * W;
          const V x = load(h) + bias[v];
          store(h, divide(maximum(zero, x) * select(mask_of(bits >> v * W), one, zero), keep));
          open |= bits_of(f.relu ? !(x <= zero) : x >= zero) << v * W;
        }
        if (block.h) *block.gate(j, r0 + r) = static_cast<Gate>(open & bits & exist);
      }
    }
  }

  // Rows [r0, r0 + rows) of a block that begins at row `first` of all. Their hidden layer goes to
  // `left`, which may be the saved array. The team shares the columns.
  void piece(const Team& team, const GrowingRows& left, const SavedBlock& block, int64_t first, int64_t r0,
      int64_t rows, float* x, float* own) const {
    pack_panels({f.x + (first + r0) * f.d_model, f.d_model}, rows, f.d_model, x);
    const Stretch hidden = team.share(f.d_ff, panel);
    for (int64_t j = hidden.begin; j < hidden.end; j += panel) {
      float* z = left.at(j);
      for (int64_t p = 0; p < f.d_model; p += k_block) {
        w1.multiply(rows, GrowingRows{x, rows}.from(p), j, p, own, Result{z, panel});
      }
      activate(z, block, first, r0, rows, j);
    }
    team.wait();
    float* to = y + (first + r0) * f.d_model;
    const Stretch columns = team.share(f.d_model, panel);
    for (int64_t p = 0; p < f.d_ff; p += k_block) {
      for (int64_t j = columns.begin; j < columns.end; j += panel) {
        Result out{to + j, f.d_model, smaller(panel, f.d_model - j)};
        if (f.b2) out.bias = f.b2 + j;
        w2.multiply(rows, left.from(p), j, p, own, out);
      }
    }
  }

  int64_t shared_size() const { return by_columns ? ceil_div(f.d_ff, panel) * panel * f.rows : w1.size() + w2.size(); }

  void run(const Team& team, float* shared) const {
    static thread_local Scratch scratch;
    const int64_t height = smaller(by_columns ? few_rows : row_block, f.rows);
    const int64_t x_size = panels_size(height, f.d_model);
    float* x = scratch.floats(x_size + k_block * panel + panels_size(height, f.d_ff));
    float *own = x + x_size, *h = own + k_block * panel;
    if (by_columns) {
      const SavedBlock block = saved_block(f, saved, 0);
      return piece(team, {saved ? block.h : shared, f.rows}, block, 0, 0, f.rows, x, own);
    }
    FeedForwardPass pass(*this);
    pass.w1.packed = shared;
    pass.w2.packed = shared + w1.size();
    pass.w1.pack_share(team);
    pass.w2.pack_share(team);
    team.wait();
    for (int64_t first = 0; first < f.rows; first += layer_block) {
      const SavedBlock block = saved_block(f, saved, first);
      const int64_t pieces = ceil_div(ceil_div(block.rows, row_block), team.size) * team.size;
      const Stretch mine = team.share(pieces);
      for (int64_t t = mine.begin; t < mine.end; ++t) {
        const auto [r0, end] = Team{t, pieces}.share(block.rows);
        const GrowingRows left{saved ? block.at(0, r0) : h, saved ? block.rows : end - r0};
        pass.piece(Team{0, 1}, left, block, first, r0, end - r0, x, own);
      }
    }
  }
};

void feed_forward(const FeedForward& f, float* saved, float* y) {
  if (f.rows > 0) run_pass(f, FeedForwardPass{f, saved, y});
}

}
}
