#pragma once

#include "core/kernels/simd/narrow.hpp"
#include "core/kernels/simd/outer.hpp"
#include "core/kernels/simd/right_matrix.hpp"

// The feed-forward layer without its intermediate arrays:
//
//   H = clamp(X·W₁ + b₁, 0)∘M        Y = H·W₂ + b₂
//
// Computed op by op, every one of the five passes over the hidden layer goes to memory and back,
// and that layer is much the largest array of all. Here the rows are cut into pieces, and what is
// done to a panel of a piece's hidden layer (bias, clamp, mask; in the other direction mask, clamp,
// bias gradient) is done while it is still in L1. M is never stored: the counter gives it.
//
// H is kept as panels (panels.hpp), block by block of rows: it is the left-hand matrix of H·W₂ and,
// transposed, of Hᵀ·dY. For floats these are one, completed where it stays and never packed;
// bfloat16s are laid out for each from a buffer. Beside H is kept one bit an element, whether a
// gradient passes: not clamped and not dropped. dZ, as large as H, exists for one block at a time.
//
// Each number is made by the same additions in the same order as by the separate kernels, but for
// the bias gradients and, of one panel of hidden columns, the weights', whose sums are cut
// elsewhere (whole_blocks). Where d_model fills no panel: narrow.hpp. Where there are few hidden
// columns, x and dy are read as they lie (few_hidden), and Y is outer products: W₂ then stays in L1
// while Y is written in the order of memory.
namespace stepgrad::kernels {
namespace {

// Covers that are drawn at a time. With 16 registers four are no slower than two.
constexpr int covers_at_once = 4;

template <class E>
struct FeedForwardPass {
  FeedForward f;
  float* saved;  // null: nothing is kept
  float* y;
  RightMatrix<E> w1{{f.w1, f.d_ff}, false, f.d_model, f.d_ff};
  RightMatrix<E> w2{{f.w2, f.d_model}, false, f.d_ff, f.d_model};
  Philox philox{f.seed, f.call};
  Below below{f.keep};

  // z = clamp(z + b₁, 0)∘M for `rows` rows of one panel, starting at row `first` of all, and their
  // gates, which are those of row r0 and after in a block.
  STEPGRAD_INLINE void activate(float* z, const Kept<E>& kept, int64_t r0, int64_t rows,
                                int64_t first, int64_t j) const {
    if (one_vector<E>(f.d_ff - j)) return activate_panel<1>(z, kept, r0, rows, first, j);
    activate_panel<tile_vectors>(z, kept, r0, rows, first, j);
  }

  template <int vectors>
  STEPGRAD_INLINE void activate_panel(float* z, const Kept<E>& kept, int64_t r0, int64_t rows,
                                      int64_t first, int64_t j) const {
    alignas(64) float bias[panel] = {};
    const int64_t cols = smaller(panel, f.d_ff - j);
    for (int64_t c = 0; f.b1 && c < cols; ++c) bias[c] = f.b1[j + c];
    const Cover cover(cols);
    const auto activate_rows = [&]<int covers>(std::integral_constant<int, covers>, int64_t r) {
      uint64_t drawn[covers];
      draw<vectors>(cover, first + r, j, drawn);
      for (uint64_t bits : drawn) {
        const int64_t end = smaller(rows, r + cover.rows);
        for (; r < end; ++r, bits >>= cover.width) {
          const Gate open =
              activate_row<vectors>(z + r * panel, bias, cols, static_cast<uint32_t>(bits));
          if (kept.h) *kept.gate(j, r0 + r) = open;
        }
      }
      return r;
    };
    for (int64_t r = 0; r < rows;) {
      if (rows - r <= cover.rows)
        r = activate_rows(std::integral_constant<int, 1>{}, r);
      else
        r = activate_rows(std::integral_constant<int, covers_at_once>{}, r);
    }
  }

  // One row of a panel, given which elements are not dropped; its gates. Columns that do not exist
  // become zeros whose gates are shut.
  template <int vectors>
  STEPGRAD_INLINE Gate activate_row(float* z, const float* bias, int64_t cols,
                                    uint32_t bits) const {
    const V scale(1.f / f.keep), zero(0.f);
    uint32_t open = 0;
    STEPGRAD_UNROLL
    for (int v = 0; v < vectors; ++v) {
      float* h = z + v * W;
      const V x = E::result(load_some(h, cols - v * W)) + V::load_aligned(bias + v * W);
      store(h, activated(x, bits >> v * W, scale));
      open |= bits_of(x >= zero) << v * W;
    }
    return static_cast<Gate>(open & bits & (~uint32_t{0} >> (32 - cols)));
  }

  // A bit for each element of covers one below the other, the first from row r and column j on,
  // cover.width to a row: 1 if it is not dropped.
  template <int vectors, int covers>
  STEPGRAD_INLINE void draw(const Cover& cover, int64_t r, int64_t j,
                            uint64_t (&drawn)[covers]) const {
    const bool all = f.keep == 1;
    for (uint64_t& bits : drawn) bits = all ? ~uint64_t{0} : 0;
    if (all) return;
    STEPGRAD_UNROLL
    for (int v = 0; v < vectors; v += 2) {
      Words words[covers];
      philox(cover, r, j + v * W, words);
      STEPGRAD_UNROLL
      for (int i = 0; i < covers; ++i) {
        drawn[i] |= uint64_t{bits_of(below(words[i].first))} << v * W |
                    uint64_t{bits_of(below(words[i].second))} << (v + 1) * W;
      }
    }
  }

  // Rows [r0, r0 + rows) of a block that begins at row `first` of all and is `kept`. `left` is
  // where the hidden layer of these rows goes; it may be what is kept.
  void piece(const Team& team, const Left<E>& left, const Kept<E>& kept, int64_t first, int64_t r0,
             int64_t rows, float* x, float* own) const {
    alignas(64) float buffer[one_layout<E> ? 1 : row_block * panel];
    const auto z = [&](int64_t j) { return one_layout<E> ? left.at(j) : buffer; };
    const auto to_z = [&](int64_t j) { return ToMatrix{z(j), panel}; };
    const auto finish = [&](int64_t j) {
      activate(z(j), kept, r0, rows, first + r0, j);
      if (one_layout<E>) return;
      left.put(buffer, rows, j);
      if (kept.h) pack_columns<E>({buffer, panel}, rows, panel, kept.at(j, r0));
    };
    const Matrix from{f.x + (first + r0) * f.d_model, f.d_model};
    const Range mine = team.share(f.d_ff, panel);
    if (!few_hidden<E>(f)) {
      pack_along<E>(from, rows, f.d_model, x);
      multiply_panels(rows, Rows{x, rows}, w1, mine, own, to_z, finish);
    } else {
      multiply_panels(rows, PlainRows{from, rows}, w1, mine, own, to_z, finish);
    }
    team.wait();
    const Range columns = team.share(f.d_model, panel);
    ToMatrix out{y + (first + r0) * f.d_model, f.d_model};
    if (one_layout<E>) out.bias = f.b2;
    if (outer()) {
      const PlacedRows ht{left.h, 1, panel * panel, panel}, w{f.w2, f.d_model, panel};
      multiply_outer_of(f.d_ff, ht, rows, w.from(columns.begin), columns.end - columns.begin,
                        out.right(columns.begin));
    } else {
      multiply_block(
          rows, left, w2, columns, own, [&](int64_t j) { return out.right(j); },
          [&](int64_t j) {
            if (!one_layout<E>) round_and_add_bias(rows, j, out.y + j);
          });
    }
  }

  STEPGRAD_INLINE void round_and_add_bias(int64_t rows, int64_t j, float* to) const {
    const int64_t cols = smaller(panel, f.d_model - j);
    round_results<E>(rows, cols, to, f.d_model);
    for (int64_t r = 0; f.b2 && r < rows; ++r, to += f.d_model) {
      zip(cols, Run<1>{to, 1}, Run<1>{f.b2 + j, 1}, to, Add{});
    }
  }

  // Whether Y is outer products, which read W₂ as it lies.
  STEPGRAD_INLINE bool outer() const { return one_layout<E> && f.d_ff <= most_outer_rows; }

  STEPGRAD_INLINE int64_t weights_size() const { return w1.size() + (outer() ? 0 : w2.size()); }

  // Whether the rows, unless they are taken in whole blocks, are one piece, whose columns the team
  // shares out. As a single panel cannot be, half as many rows are cut into pieces there.
  STEPGRAD_INLINE bool by_columns() const {
    const bool one_panel = smaller(f.d_model, f.d_ff) <= panel;
    return f.rows <= (one_panel ? few_rows / 2 : few_rows);
  }

  // By columns, or each member takes whole pieces of each block, or whole blocks.
  void run(const Team& team, float* shared) {
    [[maybe_unused]] const typename E::Setup setup;
    static thread_local Scratch scratch;
    const bool kept_is_left = saved && one_layout<E>;
    const bool whole = take_whole_blocks<E>(f, team.size);
    const bool one_piece = !whole && by_columns();
    const int64_t size = whole ? block_rows<E>(f) : layer_block, blocks = ceil_div(f.rows, size);
    const Team workers = whole ? Team{0, 1} : team;
    const int64_t x_size = along_size<E>(row_block, f.d_model);
    const int64_t own_size = down_size<E>(k_block, panel);
    const int64_t h_size = kept_is_left || one_piece ? 0 : along_size<E>(row_block, f.d_ff);
    float* x = scratch.floats(x_size + own_size + h_size + (whole ? weights_size() : 0));
    float* own = x + x_size;
    if (one_piece) {
      const Kept<E> kept = block(0, f.rows);
      const Left<E> left{kept_is_left ? kept.h : shared, f.rows};
      return piece(team, left, kept, 0, 0, f.rows, x, own);
    }
    w1.packed = whole ? own + own_size + h_size : shared;
    w2.packed = w1.packed + w1.size();
    w1.pack_share(workers);
    if (!outer()) w2.pack_share(workers);
    workers.wait();
    const Range mine = whole ? team.share(blocks) : Range{0, blocks};
    for (int64_t b = mine.begin; b < mine.end; ++b) {
      const int64_t first = b * size, height = smaller(size, f.rows - first);
      const int64_t pieces = ceil_div(ceil_div(height, row_block), workers.size) * workers.size;
      const Kept<E> kept = block(first, height);
      const auto bound = [&](int64_t t) {  // pieces begin with a group of rows
        return smaller(height, ceil_div(height, E::group) * t / pieces * E::group);
      };
      const Range share = workers.share(pieces);
      for (int64_t t = share.begin; t < share.end; ++t) {
        const int64_t r0 = bound(t), rows = bound(t + 1) - r0;
        const Left<E> left =
            kept_is_left ? Left<E>{kept.at(0, r0), height} : Left<E>{own + own_size, rows};
        piece(Team{0, 1}, left, kept, first, r0, rows, x, own);
      }
    }
  }

  STEPGRAD_INLINE Kept<E> block(int64_t first, int64_t rows) const {
    if (!saved) return {nullptr, nullptr, rows};
    return saved_block<E>(saved, f.rows, f.d_ff, first, rows);
  }

  double work() const { return layer_work<E>(f); }
  int64_t shared_size() const {
    if (by_columns()) return along_size<E>(f.rows, f.d_ff);
    return weights_size();
  }
};

template <class E>
int64_t feed_forward_saved(const FeedForward& f) {
  return is_narrow<E>(f) ? NarrowPass::saved_size(f) : saved_size<E>(f.rows, f.d_ff);
}

template <class E>
void feed_forward(const FeedForward& f, float* saved, float* y) {
  if (is_narrow<E>(f)) return run_pass(NarrowForward{{f, saved}, y});
  if (f.rows > 0) run_pass(FeedForwardPass<E>{f, saved, y});
}

}  // namespace
}  // namespace stepgrad::kernels
